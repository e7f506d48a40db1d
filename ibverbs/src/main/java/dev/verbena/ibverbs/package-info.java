/// Devices of the kernel's RDMA stack: [IbvProvider] opens `ibverbs://mlx5_0`.
///
/// Everything native is in five files: [Structs] says where the fields of libibverbs' structures
/// lie, [Memory] reads and writes them, [Library] and [FastPath] call functions, [Native] is what
/// the JVM has to trust. What is above them is named after the object of the API that it is.
package dev.verbena.ibverbs;
