import mermaidUrl from "@mermaid-js/tiny?url"
import { useData } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { h, onMounted, ref, useId, watchEffect } from "vue"
import "./style.css"

/** Loads it on the first page that has a diagram. */
const loadMermaid = () =>
  globalThis.mermaid ??
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: mermaidUrl, onerror: reject })
    script.addEventListener("load", () => resolve(globalThis.mermaid))
    document.head.append(script)
  })

const Mermaid = {
  props: ["code"],
  setup: ({ code }) => {
    const source = decodeURIComponent(code)
    const { isDark } = useData()
    const [id, svg] = [useId(), ref()]
    onMounted(() =>
      watchEffect(async () => {
        const [theme, edgeLabelBackground] = isDark.value ? ["dark", "#1b1b1f"] : ["default", "#ffffff"]
        const mermaid = await loadMermaid()
        mermaid.initialize({ startOnLoad: false, theme, themeVariables: { edgeLabelBackground } })
        svg.value = (await mermaid.render(`diagram-${id}`, source)).svg
      }),
    )
    return () =>
      svg.value === undefined
        ? h("pre", { class: "diagram" }, source)
        : h("div", { class: "diagram", innerHTML: svg.value })
  },
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component("Mermaid", Mermaid),
}
