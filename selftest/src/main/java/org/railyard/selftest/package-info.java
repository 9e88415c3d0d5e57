/** What a program uses of selftest: a node under test, and a console. Next: {@code node} and {@code console}, and {@code rpc} under both. */
@NullMarked
package org.railyard.selftest;

import org.jspecify.annotations.NullMarked;
