package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;

/// Rules for managed connections and for questions about datagram queue pairs. `who` is the device,
/// the queue pair or the request, for the message.
public final class ConnectionRules {
    private static final int LAST_PORT = 0xFFFF;

    private ConnectionRules() {}

    /// Checks a port and the backlog of its listener; a caller without a backlog passes 1.
    public static void requirePort(Object who, int port, int backlog) {
        if (port < 1 || port > LAST_PORT || backlog < 1) {
            throw new InvalidRequestException(
                    who.toString(),
                    "port " + port + " with a backlog of " + backlog,
                    "use port 1 to 65535 and a backlog of at least 1");
        }
    }

    /// Another listener has the port.
    public static InvalidRequestException portTaken(Object who, int port) {
        return taken(who, "a listener", port);
    }

    /// Another listener for datagrams has the port.
    public static InvalidRequestException datagramPortTaken(Object who, int port) {
        return taken(who, "a datagram listener", port);
    }

    private static InvalidRequestException taken(Object who, String what, int port) {
        return new InvalidRequestException(
                who.toString(),
                what + " already exists on port " + port,
                "use another port, or close that listener");
    }

    /// Checks the length of the private data of a message.
    ///
    /// @param most bytes of the program's that fit into the message
    public static void requireData(Object who, int length, int most) {
        if (length > most) {
            throw new InvalidRequestException(
                    who.toString(),
                    length + " bytes of private data",
                    "send at most " + most + " along, and the rest later");
        }
    }

    /// Checks that the queue pair can have a peer.
    ///
    /// @param remedy the types that the provider connects
    public static void requireConnectable(QueuePair pair, String remedy) {
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(pair.toString(), AttributeRules.NO_PEER, remedy);
        }
    }

    /// Checks that the queue pair is new: in INIT, and without a connection.
    ///
    /// @param isManaged whether the queue pair has a connection
    public static void requireUnconnected(QueuePair pair, boolean isManaged) {
        QueuePairState state = pair.state();
        if (state != QueuePairState.INIT || isManaged) {
            throw StateRules.in(pair, state, " or has a connection", "connect a new queue pair");
        }
    }

    /// A program answers a request once, and in time.
    public static void requireUnanswered(Object request, boolean isOpen) {
        if (!isOpen) {
            throw new WrongStateException(
                    request.toString(), "it is over, or was answered", "wait for the next request");
        }
    }

    /// Checks that the queue pair is of the type that the peer's is of.
    ///
    /// @param wanted type that the connection request names
    public static void requireType(Object request, QueuePairType wanted, QueuePair pair) {
        if (pair.type() != wanted) {
            throw new InvalidRequestException(
                    request.toString(),
                    "it is for type " + wanted + ", and " + pair + " is " + pair.type(),
                    "make a queue pair of the type that the request names");
        }
    }

    /// Checks that the queue pair can be the answer to a question for datagrams.
    public static void requireDatagrams(Object request, QueuePair pair) {
        if (pair.type() != QueuePairType.UD) {
            throw new InvalidRequestException(
                    request.toString(),
                    "it is for datagrams, and " + pair + " is " + pair.type(),
                    "make a queue pair of type UD");
        }
    }

    /// A queue pair that peers learn of must receive.
    public static void requireActive(QueuePair pair) {
        QueuePairState state = pair.state();
        if (!state.answers()) {
            throw StateRules.in(
                    pair, state, " and receives nothing", "activate it before naming it to peers");
        }
    }
}
