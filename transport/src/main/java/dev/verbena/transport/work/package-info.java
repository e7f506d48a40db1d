/// Work requests from the call of the program to their completion: slots, queues, batches and their
/// checks, the bytes they move, completion queues.
package dev.verbena.transport.work;
