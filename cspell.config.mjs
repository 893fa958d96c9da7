/** The spelling check: American English in documents and sources. `scripts/words.txt` has the names that are not in a dictionary. */
export default {
  version: "0.2",
  language: "en-US",
  useGitignore: true,
  files: ["**/*.md", "**/src/**/*.ts"],
  // A SHA-256 in Base64, and an alphabet of the tests.
  ignoreRegExpList: ["/[A-Za-z0-9+/]{43}=/g", "/\\p{Script=Cyrillic}+/gu"],
  ignorePaths: ["**/CHANGELOG.md", "docs/api/**"],
  dictionaryDefinitions: [{ name: "project", path: "scripts/words.txt" }],
  dictionaries: ["project", "typescript", "node", "html", "css", "softwareTerms", "companies"],
}
