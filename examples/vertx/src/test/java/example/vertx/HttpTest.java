package example.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class HttpTest {
    private static final long SECONDS = 30;

    @Test
    void bodiesOfEachSizeComeBackOverRdma() throws Exception {
        Vertx there = vertx("roce://127.0.85.1");
        Vertx here = vertx("roce://127.0.85.2");
        try {
            HttpServer server =
                    there.createHttpServer()
                            .requestHandler(
                                    asked ->
                                            asked.body()
                                                    .onSuccess(body -> asked.response().end(body)))
                            .listen(0, "127.0.85.1")
                            .await(SECONDS, TimeUnit.SECONDS);
            HttpClient client = here.createHttpClient();
            Random random = new Random(7);
            for (int bytes : new int[] {0, 1, 64, 10_000, 1_000_000}) {
                byte[] body = new byte[bytes];
                random.nextBytes(body);
                Buffer answer =
                        client.request(HttpMethod.POST, server.actualPort(), "127.0.85.1", "/")
                                .compose(request -> request.send(Buffer.buffer(body)))
                                .compose(response -> response.body())
                                .await(SECONDS, TimeUnit.SECONDS);
                assertEquals(Buffer.buffer(body), answer);
            }
        } finally {
            here.close().await(SECONDS, TimeUnit.SECONDS);
            there.close().await(SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Vertx vertx(String device) {
        return Vertx.builder().withTransport(new RdmaTransport(device)).build();
    }
}
