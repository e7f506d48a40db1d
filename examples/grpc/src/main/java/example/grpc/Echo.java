package example.grpc;

import dev.verbena.netty.RdmaIoHandler;
import dev.verbena.netty.RdmaServerSocketChannel;
import dev.verbena.netty.RdmaSocketChannel;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/// A gRPC service over RDMA. What differs from gRPC over TCP are the lines with `channelType` and
/// with the event loop groups.
public final class Echo {
    private static final MethodDescriptor<byte[], byte[]> ECHO =
            MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("example.Echo/Echo")
                    .setRequestMarshaller(new Bytes())
                    .setResponseMarshaller(new Bytes())
                    .build();

    private Echo() {}

    /// An event loop group on a device, such as `roce://192.0.2.1` or `ibverbs://mlx5_0`.
    public static EventLoopGroup group(String device, int loops) {
        return new MultiThreadIoEventLoopGroup(loops, RdmaIoHandler.newFactory(device));
    }

    /// A server on the device's address.
    public static Server serve(EventLoopGroup group, InetSocketAddress address) throws IOException {
        return NettyServerBuilder.forAddress(address)
                .channelType(RdmaServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .addService(
                        ServerServiceDefinition.builder("example.Echo")
                                .addMethod(
                                        ECHO,
                                        ServerCalls.asyncUnaryCall(
                                                (request, answer) -> {
                                                    answer.onNext(request);
                                                    answer.onCompleted();
                                                }))
                                .build())
                .build()
                .start();
    }

    /// A client's channel.
    public static ManagedChannel connect(EventLoopGroup group, InetSocketAddress server) {
        return NettyChannelBuilder.forAddress(server)
                .channelType(RdmaSocketChannel.class)
                .eventLoopGroup(group)
                .usePlaintext()
                .build();
    }

    /// One call.
    public static byte[] echo(ManagedChannel channel, byte[] request) {
        return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, request);
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
