package org.railyard.node.control;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.railyard.base.text.JsonText;
import org.railyard.control.DocumentSink;

/**
 * An answer that goes on, with a document as JSON in each line. Waits until the client has taken one before it takes
 * the next: whoever reads slowly holds up its own reader, and nothing is kept for it. Not thread-safe.
 */
final class AnswerStream implements DocumentSink {
    private static final String TYPE = "application/x-ndjson";

    private final ChannelHandlerContext context;
    private boolean begun;

    AnswerStream(ChannelHandlerContext context) {
        this.context = context;
    }

    /** Tells whether anything was sent: a refusal would come too late. */
    boolean hasBegun() {
        return begun;
    }

    @Override
    public boolean take(Map<String, Object> document) throws InterruptedException {
        if (!begun) {
            begun = true;
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, TYPE)
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            var _ = context.write(head);
        }
        String line = JsonText.of(document) + "\n";
        ChannelFuture written =
                context.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(line, StandardCharsets.UTF_8)));
        return written.await().isSuccess();
    }
}
