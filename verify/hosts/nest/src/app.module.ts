import { Controller, Get, Inject, Module, Redirect } from "@nestjs/common"
import type { Pix } from "@pixcharge/embed"
import { randomUUID } from "node:crypto"
import { cnpj } from "./pix.js"
import { PIX, PixModule } from "./pix.module.js"

@Controller()
class ShopController {
  constructor(@Inject(PIX) private readonly pix: Pix) {}

  @Get()
  home(): string {
    return "a shop"
  }

  @Get("buy")
  @Redirect()
  async buy(): Promise<{ url: string }> {
    const { id } = await this.pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
    return { url: await this.pix.checkout.link(cnpj, id) }
  }
}

@Module({ imports: [PixModule], controllers: [ShopController] })
export class AppModule {}
