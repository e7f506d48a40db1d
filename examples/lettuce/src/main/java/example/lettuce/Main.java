package example.lettuce;

import dev.verbena.netty.RdmaIoHandler;
import dev.verbena.stream.StreamSettings;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Sets and gets values, and compares each byte: `Main DEVICE ADDRESS PORT COMMANDS SEED`.
public final class Main {
    private static final int AT_A_TIME = 500;
    private static final int SECONDS = 60;

    private Main() {}

    public static void main(String[] words) throws Exception {
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(
                        1, RdmaIoHandler.newFactory(words[0], StreamSettings.VALKEY));
        RedisURI uri =
                RedisURI.builder()
                        .withHost(words[1])
                        .withPort(Integer.parseInt(words[2]))
                        .withTimeout(Duration.ofSeconds(SECONDS))
                        .build();
        try (RdmaRedisClient client = new RdmaRedisClient(uri, loops);
                StatefulRedisConnection<byte[], byte[]> connection =
                        client.connect(ByteArrayCodec.INSTANCE)) {
            Random random = new Random(Long.parseLong(words[4]));
            System.out.println("PING: " + connection.sync().ping());
            for (int size : new int[] {1, 65_536, 1 << 20, 8 << 20}) {
                byte[] value = new byte[size];
                random.nextBytes(value);
                connection.sync().set(key(size), value);
                require(Arrays.equals(value, connection.sync().get(key(size))), size);
            }
            int verified = 0;
            while (verified < Integer.parseInt(words[3])) {
                verified += many(connection, random, verified);
            }
            System.out.println("verified " + verified + " values");
        } finally {
            loops.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    private static int many(
            StatefulRedisConnection<byte[], byte[]> connection, Random random, int from)
            throws Exception {
        List<byte[]> values = new ArrayList<>();
        List<RedisFuture<byte[]>> found = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            byte[] value = new byte[random.nextInt(1, 512)];
            random.nextBytes(value);
            values.add(value);
            connection.async().set(key(from + i), value);
            found.add(connection.async().get(key(from + i)));
        }
        for (int i = 0; i < AT_A_TIME; i++) {
            byte[] value = found.get(i).get(SECONDS, TimeUnit.SECONDS);
            require(Arrays.equals(values.get(i), value), from + i);
        }
        return AT_A_TIME;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static void require(boolean isRight, int number) {
        if (!isRight) {
            throw new IllegalStateException("another value came back for key " + number);
        }
    }
}
