/// A key-value store, written twice: with Verbena's easy layer, and with Netty over TCP.
package example.kv;
