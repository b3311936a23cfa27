// Shows notices that come while no page of the console is open, and leads to what waits.
addEventListener('push', (event) => {
  const { title, body } = event.data.json()
  const options = { body, tag: 'waiting' }
  event.waitUntil(registration.showNotification(title, options))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const show = async () => {
    const [open] = await clients.matchAll({ type: 'window' })
    if (!open) return clients.openWindow('/console/waiting')
    await open.focus()
    return open.navigate('/console/waiting')
  }
  event.waitUntil(show())
})
