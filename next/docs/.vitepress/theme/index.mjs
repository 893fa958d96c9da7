/** The default theme of VitePress with a few styles. */
import DefaultTheme from "vitepress/theme"
// oxlint-disable-next-line import/no-unassigned-import -- Styles have no exports.
import "./style.css"

export default DefaultTheme
