/** The version of the command, and the Node.js that it requires. This module imports nothing, so that printing the version is fast. */

/** The build defines it. */
declare const BUILD: { readonly version: string; readonly node: string } | undefined

const build = typeof BUILD === "undefined" ? { version: "0.0.0-source", node: "0.0" } : BUILD

/** The version of the release, or `0.2.0-dev` between releases: the version that the pending changesets lead to. */
export const version: string = build.version

/** The oldest version of Node.js that runs the command, such as `22.19`. */
export const node: string = build.node
