/** The API reference: the public modules of every library as Markdown, in `docs/api`. A warning fails the build. */
import { Comment, Converter, ReflectionKind } from "typedoc"
// @boundaries-ignore It only lists packages, and docs is not published.
import { libraries } from "../scripts/workspace.mjs"

/** Uses the comment that opens a file as the description of its module. */
const describeModule = (context, reflection) => {
  const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile()
  const [, comment] = /^\/\*\*(.*?)\*\//s.exec(file?.text ?? "") ?? []
  if (!reflection.kindOf(ReflectionKind.Module) || comment === undefined) return
  reflection.comment = new Comment([{ kind: "text", text: comment.replaceAll(/^\s*\* ?/gm, "").trim() }])
}

/** Names parameters that the source destructures. */
const nameParameter = (_context, parameter) => {
  parameter.name = parameter.name.replace(/^__namedParameters/, "options")
}

const naming = ({ converter }) => {
  converter.on(Converter.EVENT_CREATE_DECLARATION, describeModule)
  converter.on(Converter.EVENT_CREATE_PARAMETER, nameParameter)
}

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
export default {
  name: "API reference",
  entryPointStrategy: "packages",
  entryPoints: libraries.map(({ folder }) => folder),
  packageOptions: {
    entryPoints: ["src/*.ts"],
    exclude: ["src/index.ts"],
    tsconfig: "tsconfig.src.json",
    // The build has checked the types.
    skipErrorChecking: true,
    readme: "none",
    sort: ["kind", "alphabetical"],
    excludeReferences: true,
    validation: { notDocumented: true, notExported: false, invalidLink: true, invalidPath: true },
    requiredToBeDocumented: ["Class", "Function", "Interface", "TypeAlias", "Variable"],
    excludeExternals: true,
    // Inherited comments link to symbols of Effect.
    externalSymbolLinkMappings: { effect: { "*": "#" } },
    disableSources: true,
  },
  readme: "none",
  out: "api",
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme", naming],
  docsRoot: "..",
  outputFileStrategy: "modules",
  entryFileName: "index",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  notRenderedTags: ["@since"],
}
