/** All commands. To add one, list it here. */
import * as Command from "./command/Command.js"
import * as Flag from "./flags/Flag.js"

const group = (page: Parameters<typeof Command.group>[0]): Command.Load => {
  const command = Command.group(page)
  return () => Promise.resolve({ command })
}

export const root: Command.Command = Command.group({
  description: "Service health events and app management on the command line.",
  examples: [
    "vigil status --sandbox",
    "vigil why web-1 --sandbox --subscription Production",
    "vigil events list --sandbox",
    "vigil apps list --sandbox",
    "vigil doctor --sandbox",
    "vigil sandbox --port 8080",
  ],
  flags: { version: Flag.boolean("Show the version") },
  commands: {
    status: () => import("./status/Status.js"),
    events: group({
      description: "Service health events.",
      examples: ["vigil events list --sandbox", "vigil events show D5VD-GHJ --sandbox"],
      commands: {
        list: () => import("./events/list/List.js"),
        show: () => import("./events/Show.js"),
        resources: () => import("./events/Resources.js"),
        watch: () => import("./events/watch/Watch.js"),
        report: () => import("./events/Report.js"),
        timeline: () => import("./events/Timeline.js"),
        availability: () => import("./events/Availability.js"),
      },
    }),
    resources: group({
      description: "Availability of resources.",
      examples: ["vigil resources list --sandbox", "vigil resources show web-1 --sandbox --subscription Production"],
      commands: {
        list: () => import("./resources/list/List.js"),
        show: () => import("./resources/Show.js"),
      },
    }),
    why: () => import("./resources/why/Why.js"),
    apps: group({
      description: "App management.",
      examples: ["vigil apps whoami --sandbox", "vigil apps list --sandbox"],
      commands: {
        whoami: () => import("./apps/Whoami.js"),
        list: () => import("./apps/List.js"),
        url: () => import("./apps/Url.js"),
        "remove-user": () => import("./apps/RemoveUser.js"),
      },
    }),
    notify: group({
      description: "Check and test notifications, and manage their dead letters.",
      examples: ["vigil notify check routes.yaml --sandbox"],
      commands: {
        check: () => import("./notify/Check.js"),
        test: () => import("./notify/SendTest.js"),
        "dead-letters": () => import("./notify/DeadLetters.js"),
      },
    }),
    fleet: group({
      description: "Watch thousands of subscriptions on several machines that share a Postgres database.",
      examples: ["vigil fleet run --sandbox", "vigil fleet status"],
      commands: {
        run: () => import("./fleet/Run.js"),
        status: () => import("./fleet/Status.js"),
        add: async () => ({ command: (await import("./fleet/ChangeSubscriptions.js")).add }),
        remove: async () => ({ command: (await import("./fleet/ChangeSubscriptions.js")).remove }),
        pause: async () => ({ command: (await import("./fleet/ChangeSubscriptions.js")).pause }),
        resume: async () => ({ command: (await import("./fleet/ChangeSubscriptions.js")).resume }),
        "dead-letters": () => import("./fleet/DeadLetters.js"),
      },
    }),
    auth: group({
      description: "Sign in and out.",
      examples: ["vigil auth login --sandbox", "vigil auth status --sandbox"],
      commands: {
        login: () => import("./auth/Login.js"),
        status: () => import("./auth/Status.js"),
        logout: () => import("./auth/Logout.js"),
      },
    }),
    init: () => import("./init/Init.js"),
    serve: () => import("./serve/Serve.js"),
    mcp: () => import("./mcp/Mcp.js"),
    doctor: () => import("./doctor/Doctor.js"),
    sandbox: () => import("./sandbox/Sandbox.js"),
    completions: async () => ({ command: (await import("./command/Completions.js")).command(() => root) }),
  },
})
