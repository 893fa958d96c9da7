/** The script of every page: filters the events, keeps the filters in the URL, and opens the linked event. */

/** Without it, the filters are hidden and all events can be opened. A page that updates itself calls `choose`, `fields` and `search`. */
export const script = `
const fields = () => [...document.querySelectorAll("#search input, #search select")]
const choose = (field, value) => {
  if (field.options && ![...field.options].some((one) => one.value === value)) field.add(new Option(value))
  field.value = value
}
const textOf = (event) => (event.searched ??= event.textContent.toLowerCase())
const search = () => {
  const box = document.getElementById("search")
  const [text, level, type, region] = fields().map(({ value }) => value)
  const words = text.toLowerCase().split(/\\s+/)
  const matches = (event) =>
    (!level || event.classList.contains(level)) &&
    (!type || event.dataset.type === type) &&
    (!region || \` \${event.dataset.regions} \`.includes(\` \${region} \`)) &&
    words.every((word) => !word || textOf(event).includes(word))
  let [shown, all] = [0, 0]
  for (const group of document.querySelectorAll(".group")) {
    const events = [...group.querySelectorAll(".events > details")]
    for (const event of events) event.hidden = !matches(event)
    const count = events.filter(({ hidden }) => !hidden).length
    group.hidden = !count
    group.querySelector(".count").textContent = count === events.length ? count : count + " of " + events.length
    shown += count
    all += events.length
  }
  box.hidden = !all
  box.querySelector("[role=status]").textContent = shown === all ? "" : shown + " of " + all + " events"
}
const filter = () => {
  search()
  if (fields().some(({ value }) => value)) for (const group of document.querySelectorAll(".group")) group.open = true
}
const follow = () => {
  const hash = location.hash.slice(1)
  const filters = new URLSearchParams(hash)
  if (fields().some(({ name }) => filters.has(name))) {
    for (const field of fields()) choose(field, filters.get(field.name) ?? "")
    filter()
  }
  const target = document.getElementById(hash)
  for (let one = target; (one = one?.closest("details")); one = one.parentElement) {
    one.hidden = false
    one.open = true
  }
  target?.closest("tr, details, section").scrollIntoView()
}
addEventListener("input", () => {
  filter()
  const chosen = fields().filter(({ value }) => value).map(({ name, value }) => [name, value])
  history.replaceState(null, "", "#" + new URLSearchParams(chosen))
})
addEventListener("hashchange", follow)
search()
follow()
`.trim()
