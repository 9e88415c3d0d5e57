package org.railyard.bench.peer;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Placement;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * JeroMQ PUSH to PULL over loopback TCP, with its default queues: a well-known message layer of the JVM, which batches
 * small messages.
 */
public final class JeroMqPushPull implements Contender {
    /** How long a call may wait before it looks whether the round is over, in ms. */
    private static final int PATIENCE_MILLIS = 100;

    /** How long the first message may take. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int IO_THREADS = 1;

    /** Makes the contender. */
    public JeroMqPushPull() {}

    @Override
    public String name() {
        return "JeroMQ PUSH/PULL";
    }

    @Override
    public Measure measure() {
        return Measure.MESSAGE_RATE;
    }

    @Override
    public boolean isPeer() {
        return true;
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        settings.placement().enter(Side.RECEIVER);
        try (ZContext context = new ZContext(IO_THREADS);
                ExecutorService threads = Threads.perTask("bench push");
                ZMQ.Socket pull = context.createSocket(SocketType.PULL)) {
            pull.setReceiveTimeOut(PATIENCE_MILLIS);
            int port = pull.bindToRandomPort("tcp://127.0.0.1");
            AtomicBoolean over = new AtomicBoolean();
            Future<Long> pusher = threads.submit(() -> pushFrom(context, port, over, settings.placement()));
            Sample sample;
            try {
                sample = pull(pull, settings);
            } finally {
                over.set(true);
            }
            Threads.result(pusher);
            return sample;
        } catch (ZMQException e) {
            throw new IOException(e.toString(), e);
        }
    }

    /** Sends from a context of its own if the sides are kept apart: a context is served by threads of its own. */
    private static long pushFrom(ZContext context, int port, AtomicBoolean over, Placement placement)
            throws IOException, InterruptedException {
        if (placement == Placement.FREE) {
            return push(context, port, over);
        }
        placement.enter(Side.SENDER);
        try (ZContext own = new ZContext(IO_THREADS)) {
            return push(own, port, over);
        }
    }

    /** Sends until told that it is over; returns how many messages. */
    private static long push(ZContext context, int port, AtomicBoolean over) {
        byte[] message = new byte[Measure.MESSAGE_BYTES];
        long sent = 0;
        try (ZMQ.Socket push = context.createSocket(SocketType.PUSH)) {
            push.setLinger(0);
            push.setSendTimeOut(PATIENCE_MILLIS);
            push.connect("tcp://127.0.0.1:" + port);
            while (!over.get()) {
                if (push.send(message, 0)) {
                    sent++;
                }
            }
        }
        return sent;
    }

    /** Counts what arrives after the first message. */
    private static Sample pull(ZMQ.Socket pull, RoundSettings settings) throws IOException {
        byte[] message = new byte[Measure.MESSAGE_BYTES];
        long begin = System.nanoTime();
        while (pull.recv(message, 0, message.length, 0) < 0) {
            if (System.nanoTime() - begin > FIRST_NANOS
                    || Thread.currentThread().isInterrupted()) {
                throw new IOException("no message arrived");
            }
        }
        long limit = Math.max(1, settings.byteLimit() / Measure.MESSAGE_BYTES);
        long messages = 0;
        long start = System.nanoTime();
        long now = start;
        while (now - start < settings.nanos()
                && messages < limit
                && !Thread.currentThread().isInterrupted()) {
            boolean there = pull.recv(message, 0, message.length, 0) >= 0;
            if (there) {
                messages++;
            }
            if (!there || messages % Measure.MESSAGES_PER_LOOK == 0) {
                now = System.nanoTime();
            }
        }
        now = System.nanoTime();
        return new Sample.Rate(messages, now - start);
    }
}
