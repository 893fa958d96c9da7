/**
 * What typedoc is told of this repository's ways: a module's first sentence is its description, an argument that is taken
 * apart has a name, a guide has the name of its heading, and a mermaid picture is drawn when the site is built.
 */
import { renderMermaidSVG } from "beautiful-mermaid"
import { basename, dirname, join } from "node:path/posix"
import { Comment, Converter, ReflectionKind } from "typedoc"

/** The comment that opens a file. */
const opening = (source) =>
  /^\/\*\*(.*?)\*\//s
    .exec(source)?.[1]
    .replaceAll(/^\s*\* ?/gm, "")
    .trim()

const describeModule = (context, reflection) => {
  const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile()
  const text = file === undefined ? undefined : opening(file.text)
  if (reflection.kindOf(ReflectionKind.Module) && text !== undefined)
    reflection.comment = new Comment([{ kind: "text", text }])
}

const nameParameter = (_context, parameter) => {
  parameter.name = parameter.name.replace(/^__namedParameters/, "options")
}

/** As an image in the page, in its colours; the letters are the page's own, nothing is fetched for them. */
const draw = (code) =>
  renderMermaidSVG(code, { bg: "var(--color-background)", fg: "var(--color-text)", font: "inherit", transparent: true })
    .replaceAll(/@import url\([^)]*\);/g, "")
    .replaceAll("'inherit', ", "")
    .replaceAll(/\n\s*\n/g, "\n")

const mermaid = /^```mermaid\n(.*)\n```$/s

const drawAll = (part) => {
  const code = part.kind === "code" ? mermaid.exec(part.text)?.[1] : undefined
  return code === undefined ? part : { kind: "text", text: `<div class="drawn">${draw(code)}</div>` }
}

/** A guide in a folder is shown in that folder: `recipes/In the browser`. */
const nameGuide = (project, guide) => {
  const path = project.files.getReflectionPath(guide) ?? ""
  const [heading = basename(path, ".md")] = guide.content.flatMap(({ text }) => /^# +(.*)$/m.exec(text)?.[1] ?? [])
  const folder = basename(dirname(path))
  guide.name = dirname(join(path, "..")).endsWith("/docs") ? `${folder}/${heading}` : heading
  guide.content = guide.content.map(drawAll)
}

/** A heading's place is named by its words, also by those that are code: typedoc passes over what is no text. */
const readCode = (parser) => {
  parser.core.ruler.push("code in headings", ({ Token, tokens }) => {
    for (const [index, heading] of tokens.entries())
      if (heading.type === "inline" && tokens[index - 1]?.type === "heading_open")
        heading.children = heading.children.flatMap((child) => {
          if (child.type !== "code_inline") return [child]
          const text = Object.assign(new Token("text", "", 0), { content: child.content })
          return [new Token("code_open", "code", 1), text, new Token("code_close", "code", -1)]
        })
  })
}

export const load = (app) => {
  // Options are read anew after plugins are loaded.
  app.on("bootstrapEnd", () => app.options.setValue("markdownItLoader", readCode))
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, describeModule)
  app.converter.on(Converter.EVENT_CREATE_PARAMETER, nameParameter)
  app.on("reviveProject", (project) => {
    for (const guide of project.documents ?? []) nameGuide(project, guide)
  })
}
