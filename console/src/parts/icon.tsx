// The few signs the console uses, drawn with one pen.
const paths = {
  talk: 'M3 4.5h12v8H8.5L5 15.5v-3H3z',
  memory: 'M9 2.5v13M9 5h5M9 9H4.5M9 13h4',
  documents: 'M5 2.5h5.5L14 6v9.5H5zM10.5 2.5V6H14M7.5 9.5h4M7.5 12h4',
  copilot: 'M2.5 10.5h3l1.2 2h4.6l1.2-2h3M2.5 10.5v5h13v-5L13 3.5H5z',
  confidence: 'M2.5 15.5h13M3.5 12.5c4 0 4.5-8.5 11-8.5',
  figures: 'M3 15.5h12M5 15.5V10M9 15.5V4M13 15.5V7.5',
  settings: 'M3 5h6M13 5h2M3 13h2M9 13h6M9 3v4M5 11v4',
  triggers: 'M10 2.5 4.5 10H9l-1 5.5L13.5 8H9z',
  model: 'M5 5h8v8H5zM7.5 5V2.5M10.5 5V2.5M7.5 15.5V13M10.5 15.5V13M5 7.5H2.5M5 10.5H2.5M15.5 7.5H13M15.5 10.5H13',
  bell: 'M9 2.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 6h11c0-1-1.5-2-1.5-6a4 4 0 0 0-4-4zM7.5 14.5a1.6 1.6 0 0 0 3 0',
  keys: 'M11.2 10.8a3.6 3.6 0 1 0-3.4-2.4L2.5 13.7v1.8h2.4v-1.6h1.6v-1.6h1.6l1.2-1.2a3.6 3.6 0 0 0 1.9-.3zM12.2 6.2v.1',
  person: 'M9 9a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 9zM2.8 15.5c.6-3 3-4.4 6.2-4.4s5.6 1.4 6.2 4.4',
  people:
    'M6.8 8.6a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM1.8 14.8c.4-2.6 2.3-3.8 5-3.8s4.6 1.2 5 3.8M11.6 3.4a2.6 2.6 0 0 1 0 5M13.6 11.4c1.5.6 2.4 1.7 2.6 3.4',
  globe:
    'M9 2.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM2.5 9h13M9 2.5c2.2 1.9 3 4.1 3 6.5s-.8 4.6-3 6.5c-2.2-1.9-3-4.1-3-6.5s.8-4.6 3-6.5z',
  book: 'M3 3.5h4.5A1.5 1.5 0 0 1 9 5v10.5a1.5 1.5 0 0 0-1.5-1.5H3zM15 3.5h-4.5A1.5 1.5 0 0 0 9 5v10.5a1.5 1.5 0 0 1 1.5-1.5H15z',
  out: 'M7 3H3.5v12H7M8 9h7M12.5 6l3 3-3 3',
  sun: 'M9 6a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM9 1.5v1.8M9 14.7v1.8M1.5 9h1.8M14.7 9h1.8M3.7 3.7l1.3 1.3M13 13l1.3 1.3M14.3 3.7 13 5M5 13l-1.3 1.3',
  moon: 'M14.5 11A6.3 6.3 0 0 1 7 3.5 6.3 6.3 0 1 0 14.5 11z',
  copy: 'M6.5 6.5v-4h9v9h-4M2.5 6.5h9v9h-9z',
  check: 'M3.5 9.5l3.5 3.5 7.5-8',
  close: 'M4.5 4.5l9 9M13.5 4.5l-9 9',
  plus: 'M9 3.5v11M3.5 9h11',
  search: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM11.8 11.8l3.7 3.7',
  send: 'M9 15V3.5M4 8.5l5-5 5 5',
  trash: 'M3.5 5h11M7 5V3h4v2M5 5l.7 10.5h6.6L13 5M7.7 8v5M10.3 8v5',
  edit: 'M3 15l.7-3.2L11.6 4 14 6.4l-7.8 7.9z',
  up: 'M9 14.5v-11M5 7.5l4-4 4 4',
  again: 'M14.5 4v3.5H11M14.2 7.3A5.8 5.8 0 1 0 14.6 11',
  good: 'M3 8.5h2.5V15H3zM5.5 8.5 8.7 3c1 0 1.7.8 1.5 1.8l-.4 2.4h4c.8 0 1.4.7 1.2 1.5l-1 4.9c-.1.8-.8 1.4-1.6 1.4H5.5',
  bad: 'M3 9.5h2.5V3H3zM5.5 9.5 8.7 15c1 0 1.7-.8 1.5-1.8l-.4-2.4h4c.8 0 1.4-.7 1.2-1.5l-1-4.9C13.9 3.6 13.2 3 12.4 3H5.5',
  stop: 'M5.5 5.5h7v7h-7z',
  microphone: 'M9 2.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2zM4.5 8.5a4.5 4.5 0 0 0 9 0M9 13v2.5',
  speaker: 'M3 7v4h2.5L9 14V4L5.5 7zM11.5 6.5a3.5 3.5 0 0 1 0 5M13.5 4.5a6.4 6.4 0 0 1 0 9',
  down: 'M9 3v9M5 8.5l4 4 4-4M3.5 15.5h11',
  history: 'M3 4v3.5h3.5M3.3 7.3A6 6 0 1 1 3 10.5M9 6v3.5l2.5 1.5',
}

export type IconName = keyof typeof paths

export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 18 18" fill="none" stroke="currentColor" aria-hidden="true">
    <path d={paths[name]} strokeWidth="1.35" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
