package org.railyard.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More requests at a time than the console takes. */
@Timeout(60)
final class RequestLimitTest {
    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final int BUSY = 503;

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);
    private final HttpClient client = HttpClient.newHttpClient();

    private WebAnswer slow(Map<String, String> query) {
        begun.release();
        goOn.acquireUninterruptibly();
        if (query.containsKey("fails")) {
            throw new IllegalStateException("as asked");
        }
        return WebAnswer.text(OK, "done");
    }

    private static HttpRequest request(WebServer server, String page) {
        return HttpRequest.newBuilder(URI.create(server.url().replace("/?", page)))
                .build();
    }

    private CompletableFuture<HttpResponse<String>> begin(WebServer server, String page) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(server, page), HttpResponse.BodyHandlers.ofString());
        begun.acquire();
        return answer;
    }

    @Test
    void whatIsTooMuchIsRefusedUntilOneIsAnswered() throws IOException, InterruptedException {
        Assets none = Assets.read(RequestLimitTest.class, "none", List.of());
        List<CompletableFuture<HttpResponse<String>>> slow = new ArrayList<>();
        try (client;
                WebServer server = WebServer.start(0, none, new EventHub(), Map.of("/slow", this::slow), Map.of())) {
            slow.add(begin(server, "/slow?fails=1&"));
            while (slow.size() < WebServer.MAX_REQUESTS) {
                slow.add(begin(server, "/slow?"));
            }
            HttpResponse<String> refused = client.send(request(server, "/slow?"), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(BUSY);
            assertThat(refused.body()).contains("more than 32 requests at once; try again");
            HttpResponse<InputStream> events =
                    client.send(request(server, "/events?"), HttpResponse.BodyHandlers.ofInputStream());
            events.body().close();
            assertThat(events.statusCode()).as("events are apart").isEqualTo(OK);
            goOn.release(WebServer.MAX_REQUESTS);
            for (CompletableFuture<HttpResponse<String>> each : slow) {
                assertThat(each.join().statusCode()).isIn(OK, FAILED);
            }
            slow.clear();
            while (slow.size() < WebServer.MAX_REQUESTS) {
                slow.add(begin(server, "/slow?"));
            }
            goOn.release(WebServer.MAX_REQUESTS);
            for (CompletableFuture<HttpResponse<String>> each : slow) {
                assertThat(each.join().statusCode()).isEqualTo(OK);
            }
        }
    }
}
