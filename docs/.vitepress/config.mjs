/** The documentation site. The source folder is the repository, so that links between documents are the same here and on GitHub. */
import { renderMermaidSVG } from "beautiful-mermaid"
import { existsSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { defineConfig } from "vitepress"
// @boundaries-ignore It only lists packages, and docs is not published.
import { libraries } from "../../scripts/workspace.mjs"

const sidebarFile = new URL("../api/typedoc-sidebar.json", import.meta.url)
const reference = existsSync(sidebarFile) ? JSON.parse(readFileSync(sidebarFile, "utf8")) : []

const links = (folder, pages) => Object.entries(pages).map(([page, text]) => ({ text, link: `${folder}/${page}` }))
const repository = "https://github.com/vigil-effect/vigil"

/** Draws a mermaid diagram during the build, in the colors of the page. Fetches no font. */
const draw = (code) =>
  renderMermaidSVG(code, { bg: "var(--vp-c-bg)", fg: "var(--vp-c-text-1)", font: "inherit", transparent: true })
    .replaceAll(/@import url\([^)]*\);/g, "")
    .replaceAll("'inherit', ", "")
    .replaceAll(/\n\s*\n/g, "\n")

/** Replaces mermaid blocks. As `v-html`, because Vue drops parts of a long static SVG when it hydrates the page. */
const drawMermaid = (md) => {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === "mermaid"
      ? `<div class="diagram" v-html="${md.utils.escapeHtml(JSON.stringify(draw(tokens[index].content)))}"></div>`
      : fence(tokens, index, ...rest)
}

/** Leads to GitHub for files that the site lacks, such as examples. */
const linkSources = (md) =>
  md.core.ruler.push("link_sources", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null
      if (href !== null && /^(?!\w+:).*(?:\.(?:conf|env|json|service|ts|ya?ml)|\/Dockerfile)$/.test(href))
        token.attrSet("href", new URL(href, `${repository}/blob/main/${env.relativePath}`).href)
    }
  })

/** Pages outside of this folder cannot resolve Vue, which the server bundle imports from here. */
const externalVue = {
  name: "external-vue",
  enforce: "pre",
  apply: "build",
  resolveId: (id, _importer, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
}

export default defineConfig({
  title: "Vigil",
  description: "Service health events as typed Effect streams.",
  srcDir: "..",
  srcExclude: ["**/CHANGELOG.md", "packages/{interop,recipes,testing}/**", ".*/**", "bench/**", "tarballs/**"],
  rewrites: { "docs/index.md": "index.md" },
  outDir: "site",
  cacheDir: ".vitepress/cache",
  markdown: { config: (md) => md.use(drawMermaid).use(linkSources) },
  vite: { plugins: [externalVue] },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path` },
    nav: [
      { text: "Getting started", link: "/docs/getting-started" },
      { text: "Guides", link: "/docs/recipes/README" },
      { text: "Troubleshooting", link: "/docs/troubleshooting" },
      { text: "API", link: "/docs/api/" },
    ],
    sidebar: [
      {
        text: "Getting started",
        items: [
          { text: "Overview", link: "/README" },
          { text: "With Effect", link: "/docs/getting-started" },
          ...links("/docs/recipes", { promises: "With Promises", browser: "In the browser" }),
        ],
      },
      {
        text: "Concepts",
        items: links("/docs/concepts", {
          packages: "Which package gives what",
          services: "Services and layers",
          paging: "Paging and checkpoints",
          versions: "Versions and vendors",
          errors: "Errors and retries",
          credentials: "Credentials",
        }),
      },
      {
        text: "How-to",
        items: links("/docs/recipes", {
          README: "All recipes",
          "effect-app": "In an Effect application",
          "http-api": "An API as a client",
          telemetry: "With OpenTelemetry",
          testing: "In tests",
          settings: "Settings and tokens",
          resources: "Resources and their causes",
          notifications: "Notifications",
          operations: "Running vigil serve",
          fleet: "Running a fleet",
          cluster: "With effect/cluster",
          agents: "With agents",
        }),
      },
      { text: "Troubleshooting and FAQ", link: "/docs/troubleshooting" },
      {
        text: "Packages",
        items: [
          ...libraries
            .map(({ folder }) => basename(folder))
            .map((name) => ({ text: name, link: `/packages/${name}/README` })),
          { text: "The command vigil", link: "/apps/cli/README" },
        ],
      },
      {
        text: "Project",
        items: [
          { text: "Releases", link: "/docs/releases" },
          { text: "Migrating to 0.4", link: "/docs/migration" },
          { text: "Migrating to 0.3", link: "/docs/migration-to-0.3" },
          { text: "Migrating to 0.2", link: "/docs/migration-to-0.2" },
          { text: "Architecture", link: "/docs/architecture" },
          { text: "Decisions", link: "/docs/decisions/README" },
          { text: "Benchmarks", link: "/docs/benchmarks/README" },
          { text: "Security", link: "/SECURITY" },
          { text: "Contributing", link: "/CONTRIBUTING" },
        ],
      },
      { text: "API reference", link: "/docs/api/", collapsed: true, items: reference },
    ],
  },
})
