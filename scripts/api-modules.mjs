/**
 * What each published library gives its users: the exports of its public modules, as its built `.d.ts` files say. Read by
 * TypeScript 6 (docs/package.json), since 7 has no interface for programs. Nothing outside the packages is looked at.
 */
import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join, sep } from "node:path"
import { members, root } from "./workspace.mjs"

/** TypeScript 6. */
export const ts = createRequire(join(root, "docs/package.json"))("typescript")

/** The packages that others import: published, and no command. */
export const libraries = members.filter(({ manifest }) => manifest.private !== true && manifest.bin === undefined)

const compile = (rootNames) => {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  // What a signature takes from elsewhere is shown by the name that it has there.
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    )
  return ts.createProgram({ rootNames, options, host })
}

/**
 * The public modules of a package, by name: each with its exports by name, and each of those with its declarations (none
 * where it comes from another package).
 */
export const readModules = ({ folder, manifest }) => {
  const dist = join(folder, "dist")
  const files = readdirSync(join(folder, "src"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replace(/\.ts$/, ".d.ts"))
    .toSorted()
  if (!files.every((file) => existsSync(join(dist, file))))
    throw new Error(`${manifest.name} is not built. Run \`pnpm build\`.`)
  const program = compile(files.map((file) => join(dist, file)))
  const checker = program.getTypeChecker()

  /** A symbol's declarations in this package, however it was imported. */
  const declarationsOf = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return (target.declarations ?? []).filter((declaration) =>
      declaration
        .getSourceFile()
        .fileName.replaceAll("/", sep)
        .startsWith(dist + sep),
    )
  }
  const modules = files.map((file) => {
    const source = program.getSourceFile(join(dist, file))
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source))
    return {
      name: basename(file, ".d.ts"),
      source,
      exports: exported
        .map((symbol) => ({ name: symbol.name, symbol, declarations: declarationsOf(symbol) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    }
  })
  return { checker, declarationsOf, dist, modules }
}
