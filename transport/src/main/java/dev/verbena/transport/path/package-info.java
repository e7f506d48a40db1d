/// Where peers are: interned paths, and the handles that programs hold on them.
package dev.verbena.transport.path;
