package org.railyard.console.web;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in: whoever has the token, in the address or in the cookie that a first answer set. The address in the
 * header {@code Host} has to be one of this machine, or a page of a stranger could reach us under a name that it makes
 * point here. Thread-safe.
 */
final class Gate {
    /** Name of the token in addresses. */
    static final String TOKEN = "token";

    private static final int TOKEN_BYTES = 24;
    private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");

    /** What browsers say of requests that our own pages, or whoever sits before the browser, make. */
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    /** The header that a request for a change has to bring: pages of strangers can not set it, nor know its value. */
    static final String CHANGE_HEADER = "X-Railyard-Change";

    private final String token;
    private final String changeToken;
    private final String cookie;

    /** Makes one with a new token. */
    Gate(SecureRandom random) {
        this.token = text(random);
        this.changeToken = text(random);
        // A name of its own: cookies are kept by host, whatever the port, and there may be several consoles.
        this.cookie = "railyard-" + text(random).substring(0, 8);
    }

    private static String text(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    String token() {
        return token;
    }

    /** Returns what our own pages put into {@link #CHANGE_HEADER}. */
    String changeToken() {
        return changeToken;
    }

    /** Tells whether a page of our own asks for a change. */
    boolean mayChange(Headers headers) {
        String offered = headers.getFirst(CHANGE_HEADER);
        String origin = headers.getFirst("Origin");
        return offered != null
                && isSame(offered, changeToken)
                && (origin == null || origin.equals("http://" + headers.getFirst("Host")));
    }

    /** Returns the header that lets a browser come again without the token in the address. */
    String setCookie() {
        return cookie + "=" + token + "; Path=/; HttpOnly; SameSite=Strict";
    }

    /** Tells whether the address that was asked for is one of this machine. */
    static boolean isOwnHost(Headers headers) {
        List<String> hosts = headers.get("Host");
        if (hosts == null || hosts.size() != 1) {
            return false;
        }
        String host = hosts.getFirst();
        int colon = host.lastIndexOf(':');
        boolean port = colon > host.lastIndexOf(']');
        return HOSTS.contains(port ? host.substring(0, colon) : host);
    }

    /** Tells whether a token is ours; takes the same time however much of it is right. */
    boolean isToken(@Nullable String offered) {
        return offered != null && isSame(offered, token);
    }

    private static boolean isSame(String offered, String ours) {
        return MessageDigest.isEqual(offered.getBytes(StandardCharsets.UTF_8), ours.getBytes(StandardCharsets.UTF_8));
    }

    /** Tells whether a request brings our cookie, and a page of our own made it. */
    boolean hasCookie(Headers headers) {
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null && !OWN_SITE.contains(site)) {
            return false;
        }
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String each : line.split(";")) {
                String pair = each.strip();
                if (pair.startsWith(cookie + "=") && isToken(pair.substring(cookie.length() + 1))) {
                    return true;
                }
            }
        }
        return false;
    }
}
