package org.railyard.bench.sm;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.rmpp.RmppTransport;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.sa.SubnetAdministration;

/** How many PathRecords a second of CPU time gives, in one thread. */
final class SaLoad {
    private static final int REQUESTS = 4096;
    private static final int RECORDS = 20_000;
    private static final int WINDOW = 16;
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 60 * SECOND;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SimulatedMaster simulated;
    private final Fabric fabric;
    private final SplittableRandom random = new SplittableRandom(2);
    private final long nanos;

    /**
     * Makes it for a subnet that is up.
     *
     * @param nanos CPU time of each measurement, and of what is done before it to get warm, ns
     */
    SaLoad(SimulatedMaster simulated, long nanos) {
        this.simulated = simulated;
        this.nanos = nanos;
        fabric = simulated.fabric();
    }

    /** A number of records was got. */
    private interface Batch {
        long records();
    }

    private long perSecond(Batch batch) {
        timed(batch);
        return timed(batch);
    }

    private long timed(Batch batch) {
        long begin = THREADS.getCurrentThreadCpuTime();
        long records = 0;
        long took;
        do {
            records += batch.records();
            took = THREADS.getCurrentThreadCpuTime() - begin;
        } while (took < nanos);
        return records * SECOND / took;
    }

    /** Single paths, from the request as it was received to the answer as it is sent. */
    long singles() {
        Mad[] requests = new Mad[REQUESTS];
        MadAddress[] from = new MadAddress[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            int source = PathQuestions.host(fabric, random);
            from[i] = MadAddress.gmp(fabric.lid(source), 0);
            requests[i] = PathQuestions.get(fabric, source, PathQuestions.host(fabric, random));
        }
        return perSecond(() -> {
            for (int i = 0; i < REQUESTS; i++) {
                answer(requests[i], from[i]);
            }
            return REQUESTS;
        });
    }

    /** Tables of all paths from a host, without their way to it. */
    long tables() {
        return perSecond(() -> {
            int source = PathQuestions.host(fabric, random);
            MadAddress from = MadAddress.gmp(fabric.lid(source), 0);
            return answer(PathQuestions.table(fabric, source), from).records();
        });
    }

    private Mad answer(Mad request, MadAddress from) {
        SubnetAdministration sa = simulated.master().administration();
        return checked(sa.answer(request, from).orElseThrow());
    }

    private static Mad checked(Mad answer) {
        if (answer.status() != MadStatus.OK) {
            throw new IllegalStateException("a path has status " + MadStatus.text(answer.status()));
        }
        return answer;
    }

    /** Singles and tables over the simulated subnet, by RMPP where they are tables: both ends and all agents between. */
    record OverSubnet(long singles, long tables) {}

    OverSubnet overSubnet() {
        int port = fabric.portIndex(fabric.nodeCount() - 1, 1);
        MadRequests client = new MadRequests(
                new RmppTransport(simulated.subnet().attach(port), RmppSettings.DEFAULT),
                RequestSettings.DEFAULT.withTimeout(SECOND, 3).withWindow(WINDOW, WINDOW, WINDOW),
                (mad, from) -> {});
        int tables = Math.max(1, RECORDS / fabric.nodeCount());
        return new OverSubnet(
                perSecond(() -> ask(
                        client, REQUESTS, () -> PathQuestions.get(fabric, port, PathQuestions.host(fabric, random)))),
                perSecond(() -> ask(client, tables, () -> PathQuestions.table(fabric, port))));
    }

    private interface Question {
        Mad make();
    }

    private long ask(MadRequests client, int count, Question question) {
        int manager = simulated.master().manager().snapshot().orElseThrow().smPort();
        MadAddress sa = MadAddress.gmp(fabric.lid(manager), 0);
        long[] seen = new long[2];
        simulated.subnet().loop().execute(() -> {
            for (int i = 0; i < count; i++) {
                client.submit(question.make(), sa, outcome -> {
                    seen[0]++;
                    seen[1] += outcome instanceof RequestOutcome.Answered answered
                            ? Math.max(1, checked(answered.mad()).records())
                            : 0;
                });
            }
        });
        if (!simulated.subnet().loop().runUntil(() -> seen[0] == count, PATIENCE) || seen[1] < count) {
            throw new IllegalStateException(seen[0] + " of " + count + " requests have ended, " + seen[1] + " records");
        }
        return seen[1];
    }
}
