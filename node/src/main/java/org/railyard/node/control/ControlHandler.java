package org.railyard.node.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.base.text.DocReader;
import org.railyard.base.text.JsonText;
import org.railyard.base.text.YamlText;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.EventsOperation;
import org.railyard.control.Failure;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;

/**
 * Turns requests into operations: {@code POST /v1/GROUP/NAME} with the fields as JSON or YAML; {@code GET} with the
 * fields in the query for what changes nothing. Answers are YAML, or JSON for who accepts that only. One to a
 * connection, which gets a request only when the one before is answered: answers come in the order of requests.
 * {@code /v1/events/follow} is answered until the client goes away, with a document in each line.
 */
final class ControlHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    /** What all paths of operations begin with. */
    static final String PREFIX = "/v1/";

    /** Where the description of all operations is. */
    static final String OPEN_API = "/openapi.json";

    /** What is behind the version for events that are told as they happen. */
    static final String FOLLOW = "events/follow";

    private static final System.Logger LOG = System.getLogger("org.railyard.node");
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";

    private final Dlc dlc;
    private final Map<String, Extension> extensions;
    private final Executor workers;
    private final Followers followers;

    /** Whether the answer goes on until the client goes away: then no other can follow it. */
    private boolean following;

    ControlHandler(Dlc dlc, Map<String, Extension> extensions, Executor workers, Followers followers) {
        this.followers = followers;
        this.dlc = dlc;
        this.extensions = extensions;
        this.workers = workers;
    }

    /**
     * What is answered.
     *
     * @param allowed the methods that there are, for the header {@code Allow}; empty for none
     */
    private record Answer(HttpResponseStatus status, String type, String text, String allowed) {
        Answer(HttpResponseStatus status, String type, String text) {
            this(status, type, text, "");
        }
    }

    /** A request by a method that what it asks for has not. */
    private static final class WrongMethodException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** The methods that it has, as the header {@code Allow} lists them. */
        private final String allowed;

        WrongMethodException(HttpMethod method, QueryStringDecoder query, HttpMethod... allowed) {
            super("%s of %s; expected %s".formatted(method, query.path(), joined(" or ", allowed)));
            this.allowed = joined(", ", allowed);
        }

        private static String joined(String between, HttpMethod... methods) {
            return Stream.of(methods).map(HttpMethod::name).collect(Collectors.joining(between));
        }
    }

    /** What makes an answer. */
    @FunctionalInterface
    private interface Work {
        Answer perform() throws InterruptedException;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (following) {
            return;
        }
        context.channel().config().setAutoRead(false);
        HttpMethod method = request.method();
        String uri = request.uri();
        String body = request.content().toString(StandardCharsets.UTF_8);
        boolean json = JSON.equals(request.headers().get(HttpHeaderNames.ACCEPT));
        boolean keep = HttpUtil.isKeepAlive(request);
        if (request.decoderResult().isFailure()) {
            // What there is of it may be another request than the one that was meant.
            String why = request.decoderResult().cause().getMessage();
            send(context, refused(new ErrnoException(Errno.EINVAL, "this is no request of HTTP: " + why), json), false);
            return;
        }
        if (new QueryStringDecoder(uri).path().equals(PREFIX + FOLLOW)) {
            follow(context, method, uri, body, json);
            return;
        }
        try {
            // An operation may wait for the network; the thread of the socket must not.
            workers.execute(orClose(context, () -> send(context, answer(method, uri, body, json), keep)));
        } catch (ErrnoException e) {
            send(context, refused(e, json), false);
        }
    }

    /** Answers as long as the client listens, in a thread that nobody else waits for. */
    private void follow(ChannelHandlerContext context, HttpMethod method, String uri, String body, boolean json) {
        try {
            Future<?> reader = followers.start(orClose(context, () -> tell(context, method, uri, body, json)));
            context.channel().closeFuture().addListener(_ -> reader.cancel(true));
            following = true;
            // Only a channel that is read tells that the client has gone.
            context.channel().config().setAutoRead(true);
        } catch (ErrnoException e) {
            send(context, refused(e, json), false);
        }
    }

    /** Whoever can not be answered is not left waiting. */
    private static Runnable orClose(ChannelHandlerContext context, Runnable service) {
        return () -> {
            boolean done = false;
            try {
                service.run();
                done = true;
            } finally {
                if (!done) {
                    var _ = context.close();
                }
            }
        };
    }

    private void tell(ChannelHandlerContext context, HttpMethod method, String uri, String body, boolean json) {
        AnswerStream lines = new AnswerStream(context);
        Answer ended = answer(method, json, () -> {
            QueryStringDecoder query = new QueryStringDecoder(uri);
            requireReading(method, query);
            String path = OperationCodec.pathOf(EventsOperation.Show.class);
            Operation which = OperationCodec.decode(path, fields(method, query, body));
            dlc.follow((EventsOperation.Show) which, lines);
            return done(Map.of(), json);
        });
        if (lines.hasBegun()) {
            var _ = context.close();
        } else {
            send(context, ended, false);
        }
    }

    private static void send(ChannelHandlerContext context, Answer answer, boolean keep) {
        ByteBuf content = Unpooled.copiedBuffer(answer.text(), StandardCharsets.UTF_8);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, answer.status(), content);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
        if (!answer.allowed().isEmpty()) {
            response.headers().set(HttpHeaderNames.ALLOW, answer.allowed());
        }
        if (keep) {
            var _ = context.writeAndFlush(response);
            context.channel().config().setAutoRead(true);
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            var _ = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private Answer answer(HttpMethod method, String uri, String body, boolean json) {
        return answer(method, json, () -> {
            QueryStringDecoder query = new QueryStringDecoder(uri);
            if (query.path().equals(OPEN_API)) {
                return new Answer(HttpResponseStatus.OK, JSON, JsonText.of(OpenApi.document()));
            }
            return done(execute(method, query, body), json);
        });
    }

    private static Answer answer(HttpMethod method, boolean json, Work work) {
        try {
            return work.perform();
        } catch (DlcException e) {
            return failed(e.failures(), json);
        } catch (WrongMethodException e) {
            Answer why = refused(new ErrnoException(Errno.EOPNOTSUPP, String.valueOf(e.getMessage()), e), json);
            return new Answer(HttpResponseStatus.METHOD_NOT_ALLOWED, why.type(), why.text(), e.allowed);
        } catch (ErrnoException e) {
            return refused(e, json);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused(new ErrnoException(Errno.ESHUTDOWN, "the service ends", e), json);
        } catch (IllegalArgumentException e) {
            return failed(
                    List.of(new Failure(
                            "manage", "request", Errno.EINVAL.status(), String.valueOf(e.getMessage()), List.of())),
                    json);
        } catch (RuntimeException | Error e) {
            // Without memory, or too deep in itself: the client waits for an answer all the same.
            LOG.log(System.Logger.Level.ERROR, "request " + method + " failed", e);
            return failed(
                    List.of(new Failure(
                            "manage", "service", Errno.EIO.status(), "the service failed at it: " + e, List.of())),
                    json);
        }
    }

    private static Answer refused(ErrnoException e, boolean json) {
        return failed(
                List.of(new Failure("manage", "request", e.errno().status(), DlcException.textOf(e), List.of())), json);
    }

    private Map<String, Object> execute(HttpMethod method, QueryStringDecoder query, String body) {
        if (!query.path().startsWith(PREFIX)) {
            throw new ErrnoException(
                    Errno.ENOENT,
                    "nothing is at " + query.path() + "; operations are below " + PREFIX + ", described in "
                            + OPEN_API);
        }
        Map<String, Object> fields = fields(method, query, body);
        String path = query.path().substring(PREFIX.length());
        int slash = path.indexOf('/');
        Extension extension = slash < 0 ? null : extensions.get(path.substring(0, slash));
        if (extension != null) {
            requirePost(method, query);
            return extension.execute(path.substring(slash + 1), fields);
        }
        Operation operation = OperationCodec.decode(path, fields);
        if (operation instanceof Operation.Query) {
            requireReading(method, query);
        } else {
            requirePost(method, query);
        }
        return dlc.execute(operation);
    }

    private static Map<String, Object> fields(HttpMethod method, QueryStringDecoder query, String body) {
        Map<String, Object> fields = new LinkedHashMap<>();
        query.parameters().forEach((name, values) -> fields.put(name, values.size() == 1 ? values.getFirst() : values));
        if (method.equals(HttpMethod.POST)) {
            fields.putAll(DocReader.mapping(body));
        }
        return fields;
    }

    private static void requireReading(HttpMethod method, QueryStringDecoder query) {
        if (!method.equals(HttpMethod.POST) && !method.equals(HttpMethod.GET)) {
            throw new WrongMethodException(method, query, HttpMethod.POST, HttpMethod.GET);
        }
    }

    private static void requirePost(HttpMethod method, QueryStringDecoder query) {
        if (!method.equals(HttpMethod.POST)) {
            throw new WrongMethodException(method, query, HttpMethod.POST);
        }
    }

    private static Answer done(Map<String, Object> document, boolean json) {
        return json
                ? new Answer(HttpResponseStatus.OK, JSON, JsonText.of(document))
                : new Answer(HttpResponseStatus.OK, YAML, YamlText.of(document));
    }

    private static Answer failed(List<Failure> failures, boolean json) {
        HttpResponseStatus status = statusOf(failures.getLast().errno());
        if (json) {
            List<Object> all =
                    failures.stream().<Object>map(Failure::toDocument).toList();
            return new Answer(
                    status, JSON, JsonText.of(new Doc().put("failures", all).map()));
        }
        return new Answer(status, YAML, YamlText.of(failures.getLast().toDocument()));
    }

    private static HttpResponseStatus statusOf(int errno) {
        return switch (Errno.ofStatus(errno)) {
            case ENOENT, ESRCH, ENODEV -> HttpResponseStatus.NOT_FOUND;
            case EEXIST, EBUSY, EALREADY, ENOTUNIQ -> HttpResponseStatus.CONFLICT;
            case EPERM -> HttpResponseStatus.FORBIDDEN;
            case EOPNOTSUPP -> HttpResponseStatus.NOT_IMPLEMENTED;
            case ENETDOWN, ESHUTDOWN -> HttpResponseStatus.SERVICE_UNAVAILABLE;
            case EIO ->
                errno == Errno.EIO.status() ? HttpResponseStatus.INTERNAL_SERVER_ERROR : HttpResponseStatus.BAD_REQUEST;
            default -> HttpResponseStatus.BAD_REQUEST;
        };
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.log(System.Logger.Level.DEBUG, "a connection to the control socket broke: {0}", cause);
        var _ = context.close();
    }
}
