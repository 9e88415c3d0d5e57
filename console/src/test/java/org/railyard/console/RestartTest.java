package org.railyard.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.console.Planned.Mood;
import org.railyard.control.Dlc;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.control.Operation;

/** A node that is read once a day, ends between two readings and comes back: pages show it at once. */
final class RestartTest {
    /** Tells its events until it is gone. */
    private static final class Followed implements Dlc {
        private final Planned planned = new Planned();
        private final Semaphore turns = new Semaphore(0);
        private final Semaphore starts = new Semaphore(1);

        @Override
        public Map<String, Object> execute(Operation operation) {
            return planned.execute(operation);
        }

        @Override
        public void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
            starts.acquire();
            to.take(Map.of("last", 0));
            turns.acquire();
            throw new UncheckedIOException("at nowhere: it has gone", new IOException("it has gone"));
        }

        void ends() {
            planned.is(Mood.GONE);
            turns.release();
        }

        void isBack() {
            planned.is(Mood.ANSWERS);
            starts.release();
        }
    }

    private static void until(BufferedReader events, String text) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.contains(text)) {
                return;
            }
        }
        throw new AssertionError("the events end before '" + text + "'");
    }

    @Test
    @Timeout(60)
    void aNodeThatEndsIsReadAtOnceAndWhenItIsBackAgain() throws IOException, InterruptedException {
        Followed node = new Followed();
        try (WebConsole console = WebConsole.start(0, Map.of("one", node), null, null, false, Duration.ofDays(1));
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> answer = client.send(
                    HttpRequest.newBuilder(URI.create(console.url().replace("/?", "/events?")))
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                until(events, "\"reach\":\"UP\"");
                node.ends();
                until(events, "\"reach\":\"GONE\"");
                node.isBack();
                until(events, "\"reach\":\"UP\"");
            }
        }
    }
}
