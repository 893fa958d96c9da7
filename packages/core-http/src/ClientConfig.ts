/** The options of a client as configuration, for `layerConfig`. */
import * as Config from "effect/Config"

/**
 * The options of a client: a `Config` of them, or a record of values and `Config`s, which may omit options that have default names.
 * @category models @since 0.1.0
 */
// `Config.Config.Wrap` is stricter: it needs a `Config` for each option that is not a record.
export type ClientConfig<Options> =
  | Config.Config<Options>
  | { readonly [Key in keyof Options]?: Options[Key] | Config.Config<Options[Key]> | undefined }

/**
 * Makes one `Config` of the options. `defaults` apply to options that a record omits or sets to `undefined`.
 * @category constructors @since 0.1.0
 */
export const unwrap = <Options>(
  options: ClientConfig<Options>,
  defaults: { readonly [Key in keyof Options]: Config.Config<Options[Key]> },
): Config.Config<Options> => {
  if (Config.isConfig(options)) return options
  const overrides = Object.entries<unknown>(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Config.isConfig(value) ? value : Config.succeed(value)] as const)
  const all: Config.Config<unknown> = Config.all({ ...defaults, ...Object.fromEntries(overrides) })
  // `Config.all` loses the names of a generic record.
  return all as Config.Config<Options>
}
