/** The app management API: the caller's profile (document, "Endpoints"). */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { appManagement, json } from "./answer.js"

/** Whose token the sandbox hands out. */
const user = {
  id: "7c0de3a5-1f7f-4c39-8a54-5d7be0c5a001",
  display_name: "Ada Operator",
  email: "ada@vigil.example",
  name: "ada",
  avatar_url: null,
  can_change_password: false,
  created_at: "2023-05-09T21:07:38.069Z",
  origin: "sandbox",
  permissions: ["manager"],
}

/** The routes under `v0.1`. */
export const routes = (apiToken: Redacted.Redacted) =>
  HttpRouter.empty.pipe(
    HttpRouter.get(
      "/v0.1/user",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        headers["x-api-token"] === Redacted.value(apiToken)
          ? json(user)
          : appManagement(401, "Unauthorized", "Unauthorized. Correlation ID: 5b0c5d0e-0000-4000-8000-000000000000"),
      ),
    ),
  )
