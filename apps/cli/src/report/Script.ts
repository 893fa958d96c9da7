/** The report's one script: what a bar stands for, beside the mouse that points at it. All else works without. */

/** The browser's own hint of a bar gives way to ours, which comes at once and holds more. */
export const source = `
const tip = document.getElementById("tip")
for (const bar of document.querySelectorAll(".bar")) {
  const title = bar.querySelector("title")
  const text = title.textContent
  title.remove()
  bar.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return
    tip.textContent = text
    tip.hidden = false
    const { width, height } = tip.getBoundingClientRect()
    const left = Math.min(event.clientX + 14, innerWidth - width - 8)
    const below = event.clientY + 18
    tip.style.left = Math.max(8, left) + "px"
    tip.style.top = (below + height > innerHeight ? event.clientY - height - 12 : below) + "px"
  })
  bar.addEventListener("pointerleave", () => { tip.hidden = true })
}
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1))
  const event = target && target.closest("details")
  if (event) { event.open = true; event.scrollIntoView() }
}
addEventListener("hashchange", reveal)
reveal()
`.trim()
