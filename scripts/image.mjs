/**
 * Runs the Dockerfile without a container engine: each stage in a folder as its root, which begins with Node.js, npm and the programs below of this
 * machine. Then starts the command of the image as its user, and checks its health check and the probes of `deploy/kubernetes/serve`. Does not
 * show that the base image has these programs and can reach npm, nor other platforms: the weekly workflow builds the image. Needs root on Linux.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, matchesGlob, relative } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parse } from "yaml"
import { need, pnpm, root, run, scratch } from "./workspace.mjs"

const place = scratch("image")
const programs = ["chmod", "cp", "env", "ln", "mkdir", "sh"]
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
const find = (program) => need("sh", ["-c", `command -v ${program}`]).trim()

/** Creates a root with the programs of the base image, as far as the steps need them. */
const base = (folder) => {
  const npm = dirname(dirname(realpathSync(find("npm"))))
  const executables = [
    ...programs.map((program) => [`/usr/bin/${program}`, find(program)]),
    ["/usr/local/bin/node", process.execPath],
  ]
  const libraries = executables.flatMap(([, file]) => need("ldd", [file]).match(/\/\S+/g))
  // pnpm needs this part of the C library.
  libraries.push(join(dirname(libraries.find((file) => file.endsWith("/libc.so.6"))), "librt.so.1"))
  const files = new Map([...executables, ...libraries.map((file) => [file, file])])
  for (const [to, from] of files.set("/usr/local/lib/node_modules/npm", npm))
    cpSync(realpathSync(from), join(folder, to), { recursive: true })
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, "usr/local/bin", name))
  symlinkSync("usr/bin", join(folder, "bin"))
  for (const name of ["dev", "proc", "root", "tmp"]) mkdirSync(join(folder, name))
  chmodSync(join(folder, "tmp"), 0o1777)
}

/** The arguments that run a command in a root, without a network. Mounts end with the command, so that removing the root is safe. */
const inRoot = ({ cwd = "/", env, root, user = "0:0" }, argv, mounts = []) => {
  const all = ["--rbind /dev $1/dev", "-t proc proc $1/proc", ...mounts.map((folder) => `--bind ${folder} $1${folder}`)]
  const script = ["ip link set lo up", ...all.map((mount) => `mount ${mount}`), "shift", 'exec "$@"'].join(" && ")
  const variables = Object.entries({ PATH: path, ...env }).map(([name, value]) => `${name}=${value}`)
  const chroot = ["chroot", `--userspec=${user}`, root, "env", "-i", "-C", cwd, ...variables, ...argv]
  return ["--mount", "--net", "sh", "-c", script, "sh", root, ...chroot]
}

const text = readFileSync(join(root, "Dockerfile"), "utf8")
const steps = text
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line).slice(1))
const ignored = readFileSync(join(root, ".dockerignore"), "utf8").trim().split("\n")

/** The folders of this machine that save downloads and builds. */
const caches = [
  ["npm_config_cache", need("npm", ["config", "get", "cache"]).trim()],
  ["pnpm_config_store_dir", dirname(pnpm(["store", "path"], {}, need).trim())],
  ["XDG_CACHE_HOME", process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache")],
  ["TURBO_CACHE_DIR", join(root, ".turbo/cache")],
]

const stages = new Map()
let stage
const instructions = {
  FROM: (words) => {
    const [, name = "image"] = words.split(" AS ")
    stage = { root: join(place, name), env: { HOME: "/root" } }
    stages.set(name, stage)
    base(stage.root)
  },
  WORKDIR: (folder) => {
    stage.cwd = folder
    mkdirSync(join(stage.root, folder), { recursive: true })
  },
  COPY: (words) => {
    const [, name, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(words)
    const from = join(name === undefined ? root : stages.get(name).root, source)
    const filter = (file) => name !== undefined || !ignored.some((glob) => matchesGlob(relative(root, file), glob))
    cpSync(from, join(stage.root, stage.cwd ?? "/", target), { recursive: true, verbatimSymlinks: true, filter })
  },
  RUN: (command) => {
    const mounts = caches.map(([, folder]) => folder)
    for (const folder of mounts) mkdirSync(join(stage.root, folder), { recursive: true })
    const env = { ...stage.env, ...Object.fromEntries(caches), npm_config_offline: "true", pnpm_config_offline: "true" }
    const { status } = spawnSync("unshare", inRoot({ ...stage, env }, ["sh", "-c", command], mounts), {
      stdio: "inherit",
    })
    if (status !== 0) throw new Error(`RUN ${command} failed: ${status}`)
    console.log(`ok   ${command}`)
  },
  ENV: (words) => Object.assign(stage.env, Object.fromEntries([words.split("=")])),
  USER: (user) => (stage.user = user),
  ARG: () => undefined,
  EXPOSE: () => undefined,
  LABEL: () => undefined,
  HEALTHCHECK: (words) => (stage.healthcheck = JSON.parse(words.replace(/^.*?CMD /, ""))),
  ENTRYPOINT: (words) => (stage.entrypoint = JSON.parse(words)),
  CMD: (words) => (stage.command = JSON.parse(words)),
}
for (const [name, words] of steps) instructions[name](words)

const [{ livenessProbe, ports, readinessProbe }] = parse(
  readFileSync(join(root, "deploy/kubernetes/serve/deployment.yaml"), "utf8"),
).spec.template.spec.containers
const token = "0123456789abcdef"
const env = { ...stage.env, VIGIL_SANDBOX: "1", VIGIL_SERVE_TOKEN: token }
const server = spawn("unshare", inRoot({ ...stage, env }, [...stage.entrypoint, ...stage.command]), {
  stdio: "inherit",
})
const ended = once(server, "exit")
process.on("exit", () => server.kill("SIGKILL"))

/** Runs a command beside the server, in its network. */
const exec = (argv) =>
  run("nsenter", [
    "--target",
    server.pid,
    "--net",
    "--mount",
    "chroot",
    `--userspec=${stage.user}`,
    stage.root,
    ...argv,
  ])
const healthcheck = () => exec(["env", `PATH=${path}`, ...stage.healthcheck]).status
for (let attempt = 0; healthcheck() !== 0; attempt++) {
  if (attempt > 60 || server.exitCode !== null) throw new Error("The health check did not succeed within a minute.")
  await setTimeout(1_000)
}
console.log("ok   health check")

/** The status code of a path. */
const get = (route, headers = {}) => {
  const url = JSON.stringify(`http://127.0.0.1:${ports[0].containerPort}${route}`)
  const code = `fetch(${url}, { headers: ${JSON.stringify(headers)} }).then(({ status }) => console.log(status))`
  return Number(exec(["env", `PATH=${path}`, "node", "-e", code]).stdout)
}
const expected = [
  [livenessProbe.httpGet.path, {}, 200],
  [readinessProbe.httpGet.path, {}, 200],
  ["/metrics", {}, 401],
  ["/metrics", { authorization: `Bearer ${token}` }, 200],
]
for (const [route, headers, status] of expected) {
  const found = get(route, headers)
  if (found !== status) throw new Error(`${route} returned ${found} instead of ${status}.`)
  console.log(`ok   ${route} ${status}`)
}

const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))
if (uid === "0") throw new Error("The server runs as root.")
server.kill()
const [code] = await ended
if (code !== 143) throw new Error(`The server ended with ${code} instead of 143 after SIGTERM.`)
console.log(`ok   runs as ${uid}, ends with ${code}`)
