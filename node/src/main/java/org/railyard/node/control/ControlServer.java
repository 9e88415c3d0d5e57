package org.railyard.node.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.Dlc;
import org.railyard.host.UnixSocketPlace;

/** Listens at the control socket. Thread-safe. */
public final class ControlServer implements AutoCloseable {
    /** Largest request, bytes. */
    static final int MAX_REQUEST = 32 << 20;

    /** Most requests at once. */
    static final int MAX_REQUESTS = 64;

    private static final long QUIET_MILLIS = 0;
    private static final long LIMIT_MILLIS = 2000;

    private final Path socket;
    private final EventLoopGroup loop;
    private final ExecutorService workers;
    private final Followers followers;
    private final Channel channel;
    private final ChannelGroup clients;

    private ControlServer(
            Path socket,
            EventLoopGroup loop,
            ExecutorService workers,
            Followers followers,
            Channel channel,
            ChannelGroup clients) {
        this.followers = followers;
        this.socket = socket;
        this.loop = loop;
        this.workers = workers;
        this.channel = channel;
        this.clients = clients;
    }

    /**
     * Starts to listen.
     *
     * @param socket where; nobody else may use it, and what is left of one that did is removed
     * @param group the group that may use it beside the owner; absent for nobody
     * @param dlc what requests are done with
     * @param extensions what else there is, by the part of the path that leads to it
     * @throws ErrnoException EADDRINUSE if somebody listens there, EEXIST if something else is there
     * @throws IOException if the socket can not be made
     */
    public static ControlServer start(Path socket, @Nullable String group, Dlc dlc, Map<String, Extension> extensions)
            throws IOException {
        return start("lnetd", socket, group, dlc, extensions);
    }

    /**
     * Starts to listen for a program that is no LNet node.
     *
     * @param program its name, for messages
     * @param extensions what there is, by the part of the path that leads to it
     * @throws ErrnoException EADDRINUSE if somebody listens there, EEXIST if something else is there
     * @throws IOException if the socket can not be made
     */
    public static ControlServer start(
            String program, Path socket, @Nullable String group, Map<String, Extension> extensions) throws IOException {
        return start(program, socket, group, operation -> noNode(program), extensions);
    }

    private static Map<String, Object> noNode(String program) {
        throw new ErrnoException(Errno.EOPNOTSUPP, "this is a " + program + ", no LNet node");
    }

    private static ControlServer start(
            String program, Path socket, @Nullable String group, Dlc dlc, Map<String, Extension> extensions)
            throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        Followers followers = new Followers();
        Executor limited = limited(workers);
        ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        AtomicReference<Channel> bound = new AtomicReference<>();
        try {
            Path place = UnixSocketPlace.take(
                    socket,
                    program,
                    group,
                    at -> bound.set(
                            bind(at, loop, clients, () -> new ControlHandler(dlc, extensions, limited, followers))));
            return new ControlServer(place, loop, workers, followers, Objects.requireNonNull(bound.get()), clients);
        } catch (IOException | RuntimeException e) {
            loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
            workers.shutdownNow();
            followers.close();
            throw e;
        }
    }

    private static Executor limited(ExecutorService workers) {
        Semaphore room = new Semaphore(MAX_REQUESTS);
        return task -> {
            if (!room.tryAcquire()) {
                throw new ErrnoException(Errno.EBUSY, "too many requests at once; try again in a moment");
            }
            try {
                workers.execute(() -> {
                    try {
                        task.run();
                    } finally {
                        room.release();
                    }
                });
            } catch (RejectedExecutionException e) {
                throw new ErrnoException(Errno.ESHUTDOWN, "the service ends", e);
            }
        };
    }

    private static Channel bind(Path path, EventLoopGroup loop, ChannelGroup clients, Supplier<ControlHandler> handler)
            throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        clients.add(made);
                        made.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_REQUEST),
                                        new FlowControlHandler(),
                                        handler.get());
                    }
                });
        var bound = bootstrap.bind(UnixDomainSocketAddress.of(path)).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("the control socket can not be made at " + path, bound.cause());
        }
        return bound.channel();
    }

    /** Returns where it listens. */
    public Path socket() {
        return socket;
    }

    /** Stops to listen; requests that are under way are answered if they do not take long. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        followers.close();
        try {
            Files.deleteIfExists(socket);
            workers.shutdown();
            if (!workers.awaitTermination(LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
                workers.shutdownNow();
            }
        } catch (IOException e) {
            System.getLogger("org.railyard.node")
                    .log(System.Logger.Level.WARNING, "the control socket {0} could not be removed: {1}", socket, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The loop closes channels when it ends, but without a quiet period it may end before it has done so.
        clients.close().awaitUninterruptibly();
        loop.shutdownGracefully(QUIET_MILLIS, LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
    }
}
