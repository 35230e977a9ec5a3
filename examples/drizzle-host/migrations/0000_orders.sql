CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"charge_id" uuid NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "orders_charge_id_unique" UNIQUE("charge_id")
);
