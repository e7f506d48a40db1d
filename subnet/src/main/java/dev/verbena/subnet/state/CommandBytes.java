package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Commands as bytes, for a log: a number for the kind, then the fields in their order.
public final class CommandBytes {
    private static final int LENGTH_MAX = 256;
    private static final int GIVE_LID = 1;
    private static final int JOIN = 2;
    private static final int LEAVE = 3;
    private static final int PUT_GROUP = 4;
    private static final int REGISTER = 5;
    private static final int UNREGISTER = 6;
    private static final int SUBSCRIBE = 7;
    private static final int UNSUBSCRIBE = 8;
    private static final int FORGET = 9;
    private static final int SET_PARTITIONS = 10;
    private static final int GIVE_LIDS = 11;
    private static final int BEGIN_TERM = 12;
    private static final int GIFT_LENGTH = Long.BYTES + Integer.BYTES;

    private final ByteBuffer buffer;

    private CommandBytes(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    public static byte[] write(Command command) {
        int more =
                switch (command) {
                    case Command.SetPartitions it ->
                            it.text().getBytes(StandardCharsets.UTF_8).length;
                    case Command.GiveLids it -> it.gifts().size() * GIFT_LENGTH;
                    default -> 0;
                };
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH_MAX + more);
        new CommandBytes(buffer).put(command);
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws IllegalArgumentException for bytes that are no command
    public static Command read(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            Command command = new CommandBytes(buffer).take();
            if (!buffer.hasRemaining()) {
                return command;
            }
        } catch (BufferUnderflowException shorter) {
            throw new IllegalArgumentException("a command ends early", shorter);
        }
        throw new IllegalArgumentException(
                "%d bytes behind a command".formatted(buffer.remaining()));
    }

    private void put(Command command) {
        switch (command) {
            case Command.GiveLid it ->
                    buffer.put((byte) GIVE_LID).putLong(it.guid()).putInt(it.lid());
            case Command.GiveLids it -> {
                buffer.put((byte) GIVE_LIDS).putInt(it.gifts().size());
                it.gifts().forEach(gift -> buffer.putLong(gift.guid()).putInt(gift.lid()));
            }
            case Command.BeginTerm it ->
                    buffer.put((byte) BEGIN_TERM).putLong(it.number()).putLong(it.key());
            case Command.Join it -> {
                buffer.put((byte) JOIN);
                put(it.group());
                put(it.port());
                buffer.putInt(it.joinState());
                put(it.isProxy());
                put(it.traits());
                put(it.mayCreate());
                buffer.putInt(it.groupsMax());
            }
            case Command.Leave it -> {
                buffer.put((byte) LEAVE);
                put(it.group());
                put(it.port());
                buffer.putInt(it.joinState());
            }
            case Command.PutGroup it -> {
                buffer.put((byte) PUT_GROUP);
                put(it.group());
                buffer.putInt(it.lid());
                put(it.traits());
                put(it.isPermanent());
            }
            case Command.Register it -> {
                buffer.put((byte) REGISTER);
                put(it.service().bytes(), true);
            }
            case Command.Unregister it -> {
                buffer.put((byte) UNREGISTER).putLong(it.key().id());
                put(it.key().port());
                buffer.putInt(it.key().pkey());
            }
            case Command.Subscribe it -> put(SUBSCRIBE, it.subscription());
            case Command.Unsubscribe it -> put(UNSUBSCRIBE, it.subscription());
            case Command.Forget it -> buffer.put((byte) FORGET).putLong(it.guid());
            case Command.SetPartitions it -> {
                buffer.put((byte) SET_PARTITIONS);
                put(it.text(), false);
                buffer.putInt(it.groupsMax());
            }
        }
    }

    private void put(Gid gid) {
        buffer.putLong(gid.high()).putLong(gid.low());
    }

    private void put(boolean is) {
        buffer.put((byte) (is ? 1 : 0));
    }

    private void put(String text, boolean isLatin) {
        byte[] bytes =
                text.getBytes(isLatin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        buffer.putInt(bytes.length).put(bytes);
    }

    private void put(GroupTraits it) {
        buffer.putInt(it.qkey()).putInt(it.mtu()).putInt(it.trafficClass()).putInt(it.pkey());
        buffer.putInt(it.rate()).putInt(it.lifeTime()).putInt(it.serviceLevel());
        buffer.putInt(it.flowLabel()).putInt(it.hopLimit()).putInt(it.scope());
    }

    private void put(int kind, Subscription it) {
        buffer.put((byte) kind);
        put(it.subscriber());
        buffer.putInt(it.lid()).putInt(it.queuePair());
        put(it.about());
        buffer.putInt(it.lidBegin()).putInt(it.lidEnd());
        put(it.isGeneric());
        buffer.putInt(it.type()).putInt(it.trapNumber()).putInt(it.producerType());
    }

    private Command take() {
        int kind = buffer.get();
        return switch (kind) {
            case GIVE_LID -> new Command.GiveLid(buffer.getLong(), buffer.getInt());
            case GIVE_LIDS -> gifts();
            case BEGIN_TERM -> new Command.BeginTerm(buffer.getLong(), buffer.getLong());
            case JOIN ->
                    new Command.Join(
                            gid(), gid(), buffer.getInt(), is(), traits(), is(), buffer.getInt());
            case LEAVE -> new Command.Leave(gid(), gid(), buffer.getInt());
            case PUT_GROUP -> new Command.PutGroup(gid(), buffer.getInt(), traits(), is());
            case REGISTER -> new Command.Register(new Service(text(true)));
            case UNREGISTER ->
                    new Command.Unregister(
                            new Service.Key(buffer.getLong(), gid(), buffer.getInt()));
            case SUBSCRIBE -> new Command.Subscribe(subscription());
            case UNSUBSCRIBE -> new Command.Unsubscribe(subscription());
            case FORGET -> new Command.Forget(buffer.getLong());
            case SET_PARTITIONS -> new Command.SetPartitions(text(false), buffer.getInt());
            default -> throw new IllegalArgumentException("no command is of kind " + kind);
        };
    }

    private Command gifts() {
        int count = buffer.getInt();
        if (count < 0 || count > buffer.remaining() / GIFT_LENGTH) {
            throw new IllegalArgumentException("%d LIDs".formatted(count));
        }
        List<Command.GiveLid> gifts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            gifts.add(new Command.GiveLid(buffer.getLong(), buffer.getInt()));
        }
        return new Command.GiveLids(gifts);
    }

    private Gid gid() {
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    private boolean is() {
        return buffer.get() != 0;
    }

    private String text(boolean isLatin) {
        int length = buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException("a text of %d bytes".formatted(length));
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return new String(bytes, isLatin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private GroupTraits traits() {
        return new GroupTraits(
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt());
    }

    private Subscription subscription() {
        return new Subscription(
                gid(),
                buffer.getInt(),
                buffer.getInt(),
                gid(),
                buffer.getInt(),
                buffer.getInt(),
                is(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt());
    }
}
