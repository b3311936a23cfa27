export async function measureSpeed(): Promise<string[]> {
  return []
}
