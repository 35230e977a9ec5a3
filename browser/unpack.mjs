// Unpacks into the folder for temporary files, which is why it is a process of its own: TMPDIR names that folder.
import chromium from "@sparticuz/chromium"

await chromium.executablePath()
