const place = (url) => url.replace(/^git\+|\.git$/g, "").replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/")

/**
 * Why this tree can't be released; empty if it can.
 *
 * @param {{ changedFiles: string, origin: string, packages: ReadonlyArray<any> }} tree
 * @returns {ReadonlyArray<string>}
 */
export const releaseFlaws = ({ changedFiles, origin, packages }) => {
  const versions = [...new Set(packages.map(({ version }) => version))]
  return [
    ...(changedFiles === "" ? [] : ["there are files that aren't committed: commit or stash them"]),
    ...(versions.length === 1
      ? []
      : [`the packages have the versions ${versions.join(" and ")}: they are released in one`]),
    ...packages
      .filter(({ changelog, version }) => !changelog.includes(`\n## ${version}\n`))
      .map(
        ({ name, version }) => `${name}: its changelog doesn't say what ${version} changes: run pnpm changeset version`,
      ),
    ...packages
      .filter(({ repository }) => place(repository.url) !== place(origin))
      .map(({ name, repository }) => `${name}: its repository is ${repository.url}, and origin is ${origin}`),
  ]
}
