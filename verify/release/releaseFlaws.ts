import type { Manifest } from "./packages.ts"

export interface Tree {
  readonly changedFiles: string
  readonly origin: string
  readonly packages: ReadonlyArray<Pick<Manifest, "name" | "version" | "repository"> & { readonly changelog: string }>
}

const place = (url: string): string =>
  url.replace(/^git\+|\.git$/g, "").replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/")

export const releaseFlaws = ({ changedFiles, origin, packages }: Tree): ReadonlyArray<string> => {
  const versions = [...new Set(packages.map(({ version }) => version))]
  const findFlaws = ({ name, version, changelog, repository }: Tree["packages"][number]): ReadonlyArray<string> => [
    ...(changelog.includes(`\n## ${version}\n`)
      ? []
      : [`${name}: its changelog doesn't describe ${version}: run pnpm changeset version`]),
    ...(place(repository.url) === place(origin)
      ? []
      : [`${name}: its repository is ${repository.url}, but origin is ${origin}`]),
  ]
  return [
    ...(changedFiles === "" ? [] : ["there are files that aren't committed: commit or stash them"]),
    ...(versions.length === 1
      ? []
      : [`the packages have the versions ${versions.join(" and ")}: all packages are released in one version`]),
    ...packages.flatMap(findFlaws),
  ]
}
