/** The documentation site: the README, every library with its public modules, and the guides. A warning fails the build. */
// @boundaries-ignore It only lists packages, and docs is not published.
import { libraries } from "../scripts/workspace.mjs"

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "Vigil",
  entryPointStrategy: "packages",
  entryPoints: libraries.map(({ folder }) => folder),
  projectDocuments: ["*.md", "{benchmarks,decisions,recipes}/*.md", "../apps/cli/README.md", "../CONTRIBUTING.md"],
  packageOptions: {
    entryPoints: ["src/*.ts"],
    exclude: ["src/index.ts"],
    tsconfig: "tsconfig.src.json",
    readme: "README.md",
    sort: ["kind", "alphabetical"],
    excludeReferences: true,
    validation: { notDocumented: true, notExported: true, invalidLink: true, invalidPath: true },
    requiredToBeDocumented: ["Class", "Function", "Interface", "TypeAlias", "Variable"],
    excludeExternals: true,
    disableSources: true,
  },
  readme: "../README.md",
  out: "site",
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  plugin: ["./site.plugin.mjs"],
  customCss: "site.css",
  headings: { readme: false, document: false },
  hideGenerator: true,
  includeHierarchySummary: false,
  navigation: { compactFolders: true },
  useFirstParagraphOfCommentAsSummary: true,
}
