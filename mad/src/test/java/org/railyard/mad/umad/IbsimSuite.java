package org.railyard.mad.umad;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadFixture;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.MadTransportSuite;
import org.railyard.mad.wire.Mad;

/** The suite over ibsim; {@link SuiteProgram} runs it in a process that has ibsim's library, or that needs none. */
public final class IbsimSuite extends MadTransportSuite {
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(1);

    private final MadTransport transport;
    private final Fabric fabric = fabric();
    private final Switchable switchable;

    /**
     * For a transport that all tests share, because libibumad allows a process few of them.
     *
     * @param transport one to ibsim
     */
    public IbsimSuite(MadTransport transport) {
        this.transport = transport;
        switchable = new Switchable(transport);
    }

    private static Fabric fabric() {
        try {
            return NetFile.parse(Files.readString(Path.of("fabric.net"))).fabric();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the transport, after all tests. */
    public void closeAll() {
        transport.close();
    }

    private void console(String command) {
        try {
            Files.writeString(Path.of("console"), command + "\n", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file of the fabric gives its nodes names made of their GUIDs. */
    private String name(int node) {
        return "\"%s-%016x\"".formatted(fabric.isSwitch(node) ? "S" : "H", fabric.guid(node));
    }

    @Override
    protected MadFixture open() {
        return new MadFixture() {
            @Override
            public Fabric fabric() {
                return fabric;
            }

            @Override
            public MadTransport transport() {
                return switchable;
            }

            @Override
            public boolean await(BooleanSupplier condition) {
                long deadline = System.nanoTime() + LIMIT;
                while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
                    LockSupport.parkNanos(POLL);
                }
                return condition.getAsBoolean();
            }

            @Override
            public void unlink(int port) {
                console("Unlink " + name(fabric.nodeOf(port)) + "[" + fabric.portNumber(port) + "]");
            }

            @Override
            public void relink(int port) {
                console("ReLink " + name(fabric.nodeOf(port)) + "[" + fabric.portNumber(port) + "]");
            }

            @Override
            public void silence(int node, boolean silent) {
                console("Error " + name(node) + " " + (silent ? 100 : 0));
            }

            @Override
            public void close() {
                switchable.close();
            }
        };
    }

    /** Lets one test after the other be the receiver. */
    private static final class Switchable implements MadTransport, MadReceiver {
        private static final MadReceiver NOBODY = new MadReceiver() {
            @Override
            public void received(Mad mad, MadAddress from) {}

            @Override
            public void undelivered(Mad request, int errno) {}

            @Override
            public void failed(ErrnoException why) {
                throw new AssertionError(why);
            }
        };

        private final MadTransport transport;
        private volatile MadReceiver current = NOBODY;

        Switchable(MadTransport transport) {
            this.transport = transport;
            transport.receiver(this);
        }

        @Override
        public void receiver(MadReceiver receiver) {
            current = receiver;
        }

        @Override
        public void received(Mad mad, MadAddress from) {
            current.received(mad, from);
        }

        @Override
        public void undelivered(Mad request, int errno) {
            current.undelivered(request, errno);
        }

        @Override
        public void failed(ErrnoException why) {
            current.failed(why);
        }

        @Override
        public MadLoop loop() {
            return transport.loop();
        }

        @Override
        public LocalPort port() {
            return transport.port();
        }

        @Override
        public void send(Mad mad, MadAddress to, int timeoutMillis) {
            transport.send(mad, to, timeoutMillis);
        }

        @Override
        public int maxOutstanding() {
            return transport.maxOutstanding();
        }

        @Override
        public boolean reportsTimeouts() {
            return transport.reportsTimeouts();
        }

        @Override
        public boolean reassembles() {
            return transport.reassembles();
        }

        @Override
        public void markSm(boolean isSm) {
            transport.markSm(isSm);
        }

        @Override
        public void close() {
            current = NOBODY;
        }
    }
}
