import { Controller, Get, Inject, Module, Param } from "@nestjs/common"
import type { Pix } from "@pixcharge/embed"
import { PIX, PixModule } from "./pix.module.js"

@Controller()
class ShopController {
  constructor(@Inject(PIX) private readonly pix: Pix) {}

  @Get()
  home(): string {
    return "a shop"
  }

  @Get("orders/:id")
  async order(@Param("id") id: string): Promise<{ payment: string }> {
    const charge = await this.pix.find("12345678000195", id)
    return { payment: charge.status }
  }
}

@Module({ imports: [PixModule], controllers: [ShopController] })
export class AppModule {}
