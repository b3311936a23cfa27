// The speech of a browser, spoken and heard by a test: runs in the page before anything else does.

export const scriptedSpeech = `
  window.SpeechRecognition = class {
    start() { window.recognition = this }
    stop() { this.onend() }
    abort() {}
  }
  window.hear = (transcript) => recognition.onresult({ results: [[{ transcript }]] })
  window.spoken = []
  const speaking = []
  window.finishSpeaking = () => { for (const one of speaking.splice(0)) one.onend?.() }
  const voices = new EventTarget()
  Object.assign(voices, {
    getVoices: () => [{ name: 'a voice', lang: 'en-US' }],
    speak(one) { spoken.push(one.lang + ': ' + one.text); speaking.push(one) },
    cancel() { speaking.length = 0 },
  })
  Object.defineProperty(window, 'speechSynthesis', { value: voices })
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }
`
