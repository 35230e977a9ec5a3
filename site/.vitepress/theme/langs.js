import { useData } from "vitepress"
import { computed } from "vue"

/** In place of VitePress's own, which takes it that a page has the same name in each language and always exists. */
export const useLangs = () => {
  const { site, localeIndex, page } = useData()
  const homeOf = (key) => (key === "root" ? "/" : `/${key}/`)
  return {
    currentLang: computed(() => ({
      label: site.value.locales[localeIndex.value]?.label,
      link: homeOf(localeIndex.value),
    })),
    localeLinks: computed(() =>
      Object.entries(site.value.locales)
        .filter(([key]) => key !== localeIndex.value)
        .map(([key, { label }]) => ({ text: label, link: page.value.translation ?? homeOf(key) })),
    ),
  }
}
