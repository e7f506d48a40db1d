package dev.verbena.testkit.conformance;

/// Everything that a provider must do for reliable connections.
///
/// A new subject is a new interface in this list, and then every provider has its tests.
public interface ConformanceSuite
        extends SendConformance,
                WriteConformance,
                ReadConformance,
                AtomicConformance,
                InvalidateConformance,
                InlineConformance,
                ScatterGatherConformance,
                LengthConformance,
                SequenceNumberConformance,
                OrderingConformance,
                MixConformance,
                CompletionConformance,
                NotificationConformance,
                RemoteErrorConformance,
                ReceiverConformance,
                FlushConformance,
                StateConformance,
                DrainConformance,
                RoomConformance,
                LimitConformance,
                MistakeConformance,
                ClosingConformance,
                MemoryLifetimeConformance,
                QueryConformance,
                PartitionConformance,
                DatagramConformance,
                DatagramRefusalConformance,
                MulticastConformance,
                SharedReceiveConformance,
                SharedReceiveQueueConformance,
                WindowConformance,
                WindowLifeConformance,
                PhantomConformance {}
