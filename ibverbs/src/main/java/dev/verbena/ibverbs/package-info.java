/// Devices of the kernel's RDMA stack: [IbvProvider] opens `ibverbs://mlx5_0`.
///
/// All native code is in five files: [Structs] has the offsets of the fields of libibverbs'
/// structures, [Memory] reads and writes them, [Library] and [FastPath] call functions, [Native] is
/// the part that the JVM must trust. The other classes are named after the API object that they
/// implement.
package dev.verbena.ibverbs;
