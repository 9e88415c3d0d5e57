package org.railyard.mad.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/** Asks over a transport, and waits for the answers. */
final class Asker {
    private final MadFixture fixture;
    private final MadTransport transport;
    private final MadRequests requests;
    private final List<Mad> unsolicited = Collections.synchronizedList(new ArrayList<>());
    private final List<MadAddress> sources = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger mostOutstanding = new AtomicInteger();

    Asker(MadFixture fixture, RequestSettings settings) {
        this.fixture = fixture;
        transport = fixture.transport();
        requests = new MadRequests(transport, settings, (mad, from) -> {
            sources.add(from);
            unsolicited.add(mad);
        });
    }

    /** Sends all at once; returns how each ended. */
    List<RequestOutcome> askAll(List<Mad> mads, MadAddress to) {
        List<RequestOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < mads.size(); i++) {
            outcomes.add(new RequestOutcome.Cancelled(0));
        }
        AtomicInteger done = new AtomicInteger();
        transport.loop().execute(() -> {
            for (int i = 0; i < mads.size(); i++) {
                int at = i;
                requests.submit(mads.get(i), to, outcome -> {
                    outcomes.set(at, outcome);
                    mostOutstanding.accumulateAndGet(requests.outstanding() + 1, Math::max);
                    done.incrementAndGet();
                });
            }
        });
        assertThat(fixture.await(() -> done.get() == mads.size()))
                .as("all requests end: %s of %s", done, mads.size())
                .isTrue();
        return outcomes;
    }

    RequestOutcome ask(Mad mad, MadAddress to) {
        return askAll(List.of(mad), to).getFirst();
    }

    Mad answer(Mad mad, MadAddress to) {
        RequestOutcome outcome = ask(mad, to);
        assertThat(outcome).isInstanceOf(RequestOutcome.Answered.class);
        return ((RequestOutcome.Answered) outcome).mad();
    }

    <T extends BitStruct<T>> T get(AttributeType<T> type, int modifier, DirectedPath path) {
        Mad answer = answer(Mad.directed(MadMethod.GET, type, modifier, path), MadAddress.DIRECTED);
        assertThat(answer.status()).isEqualTo(MadStatus.OK);
        return type.copy(answer.data(type));
    }

    <T extends BitStruct<T>> int set(AttributeType<T> type, int modifier, DirectedPath path, T value) {
        Mad mad = Mad.directed(MadMethod.SET, type, modifier, path).setData(type, value);
        return answer(mad, MadAddress.DIRECTED).status();
    }

    /** Waits for something that nobody asked for. */
    Mad awaitUnsolicited(Predicate<Mad> wanted) {
        AtomicReference<Mad> found = new AtomicReference<>();
        assertThat(fixture.await(() -> {
                    synchronized (unsolicited) {
                        unsolicited.stream().filter(wanted).findFirst().ifPresent(found::set);
                    }
                    return found.get() != null;
                }))
                .as("something comes that nobody asked for")
                .isTrue();
        return Objects.requireNonNull(found.get());
    }

    /** Returns where the MADs came from that nobody asked for. */
    List<MadAddress> sources() {
        return List.copyOf(sources);
    }

    void send(Mad mad, MadAddress to) {
        transport.loop().execute(() -> requests.answer(mad, to));
    }

    int mostOutstanding() {
        return mostOutstanding.get();
    }

    RequestCounters counters() {
        AtomicReference<RequestCounters> counters = new AtomicReference<>();
        transport.loop().execute(() -> counters.set(requests.counters()));
        assertThat(fixture.await(() -> counters.get() != null)).isTrue();
        return Objects.requireNonNull(counters.get());
    }

    /** Marks the port as that of an SM, or not any more. */
    void markSm(boolean isSm) {
        AtomicInteger done = new AtomicInteger();
        transport.loop().execute(() -> {
            transport.markSm(isSm);
            done.set(1);
        });
        assertThat(fixture.await(() -> done.get() == 1)).isTrue();
    }

    void close() {
        AtomicInteger done = new AtomicInteger();
        transport.loop().execute(() -> {
            requests.close();
            done.set(1);
        });
        assertThat(fixture.await(() -> done.get() == 1)).isTrue();
    }
}
