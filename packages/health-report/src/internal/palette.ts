/** The colors of the report, light and dark. */
import * as Severity from "../Severity.js"

export const light = {
  page: "#f7f7f5",
  surface: "#ffffff",
  ink: "#1d2024",
  quiet: "#5c636c",
  line: "#e4e4df",
  track: "#efefeb",
  link: "#2457a6",
  levels: {
    Critical: { mark: "#c5302d", ink: "#9f1f1c", wash: "#fbe8e6" },
    Error: { mark: "#dc5a1e", ink: "#983c0c", wash: "#fdede2" },
    Warning: { mark: "#c58500", ink: "#755300", wash: "#fbf2d8" },
    Informational: { mark: "#6c8db7", ink: "#375a84", wash: "#e9f0f8" },
    Other: { mark: "#868d95", ink: "#4d545c", wash: "#eeeff0" },
  },
}

export const dark: typeof light = {
  page: "#131517",
  surface: "#1b1e21",
  ink: "#e8e9eb",
  quiet: "#9fa6af",
  line: "#2c3035",
  track: "#24282c",
  link: "#8db7f5",
  levels: {
    Critical: { mark: "#ec5a55", ink: "#ffa6a1", wash: "#3c1c1c" },
    Error: { mark: "#ec8646", ink: "#ffbb8e", wash: "#38241a" },
    Warning: { mark: "#ddae3a", ink: "#f0d083", wash: "#322a16" },
    Informational: { mark: "#6288b8", ink: "#a9c6ea", wash: "#1d2837" },
    Other: { mark: "#757d86", ink: "#c3c8ce", wash: "#282c30" },
  },
}

export const className = (severity: Severity.Severity): string => severity.toLowerCase()

export const properties = ({ levels, ...plain }: typeof light): string =>
  [
    ...Object.entries(plain).map(([name, color]) => `--${name}:${color}`),
    ...Severity.all.flatMap((severity) =>
      Object.entries(levels[severity]).map(([name, color]) => `--${className(severity)}-${name}:${color}`),
    ),
  ].join(";")

/** Custom properties of the elements with the class of a level. */
export const levels: string = Severity.all
  .map((severity) => {
    const name = className(severity)
    return `.${name}{--mark:var(--${name}-mark);--on:var(--${name}-ink);--wash:var(--${name}-wash)}`
  })
  .join("\n")
