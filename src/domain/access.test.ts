import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMistypedKey, newKey } from './access.ts'

test('every key is another, and carries a checksum that one wrong letter breaks', () => {
  for (const prefix of ['memoir', 'memoir_admin'] as const) {
    const key = newKey(prefix)
    assert.notEqual(key, newKey(prefix))
    assert.equal(isMistypedKey(key), false)
    const at = prefix.length + 5
    const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
    assert.equal(isMistypedKey(wrong), true)
  }
})

test("an owner's own key of another shape is nobody's mistake", () =>
  assert.equal(isMistypedKey('correct horse battery staple'), false))
