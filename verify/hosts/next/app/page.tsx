export default function Home() {
  return <p>a shop</p>
}
