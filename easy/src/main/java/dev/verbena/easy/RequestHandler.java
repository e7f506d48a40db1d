package dev.verbena.easy;

/// Answers requests.
@FunctionalInterface
public interface RequestHandler {
    /// Returns the reply. What it throws becomes the peer's [RequestFailedException].
    byte[] handle(byte[] request) throws Exception;
}
