// Memories can be walked along by the time they speak of.

export const sql = `
create index memories_by_time on memories (persona_id, time, number);
`
