# SPDX-License-Identifier: Apache-2.0
"""Texts in eight languages, made of words as notifications have them; the same ones each time."""

import random

WORDS = {
    "es": """tienes un mensaje nuevo de María la reunión empieza mañana a las nueve niño corazón pingüino ¿dónde
        estás? tu pedido llegará hoy batería baja actualización disponible fútbol año camión jamás inglés régimen
        árbol español contraseña éxito público teléfono según acción más rápido también vídeo Ángel Óscar Íñigo útil
        cigüeña""",
    "pt": """você tem uma nova mensagem não há conexão amanhã às dez horas pão coração ações João irmãs atenção avô
        avó português câmera família última ônibus três pêssego será possível início número páginas lâmpada já está
        à sua espera São Paulo informação alô médico órgão útil cabeça açúcar lições põe""",
    "en": """your parcel arrives today between nine and eleven the meeting was moved to room four don't forget
        battery low new sign-in from an unknown device quickly jumps over lazy dogs Wi-Fi flight delayed by two
        hours it's raining well-known office affluent flow fjord waltz AVATAR Toyota Yes We'll see you T-shirt
        e-mail""",
    "de": """Ihre Lieferung kommt morgen früh zwischen neun und zehn Uhr Größe Straße Übergabe Äpfel Öffnungszeiten
        Benachrichtigung Rechnungsbetrag fällig Geschwindigkeitsbegrenzung schön müde heiß Fußgängerzone Verspätung
        des Zuges Anschluss verpasst Süden Käse Mädchen Grüße aus Köln Donaudampfschifffahrt""",
    "pl": """masz nową wiadomość spotkanie zaczyna się jutro o dziewiątej żółty źródło łódź gęś książka świąteczny
        ćwiczenie piątek środa niedźwiedź pieniądze wróć później dzień dobry Kraków Łódź Śląsk Żywiec końcówka
        płatność odrzucona hasło zostało zmienione część węzeł mąż""",
    "el": """έχετε ένα νέο μήνυμα η συνάντηση αρχίζει αύριο στις εννέα καλημέρα Αθήνα Ελλάδα ευχαριστώ πολύ ώρα
        ημέρα χαμηλή μπαταρία σύνδεση απέτυχε Όλυμπος Ύδρα Ήπειρος Ίος ΐ ΰ προϊόν γαϊδούρι κωδικός λήγει τώρα ψωμί
        ξένος θάλασσα φως παραγγελία έφτασε""",
    "ru": """у вас новое сообщение встреча начинается завтра в девять часов здравствуйте Москва объявление ёлка
        съёмка подъезд щука жёлтый цыплёнок батарея разряжена вход с нового устройства заказ доставлен Йошкар-Ола
        Юлия Эдуард шифрование пароль изменён сегодня вечером хорошо пожалуйста""",
    "vi": """bạn có một tin nhắn mới cuộc họp bắt đầu lúc chín giờ sáng mai Nguyễn Thị Hường đường phố Việt Nam Hà
        Nội Đà Nẵng cảm ơn rất nhiều pin yếu đơn hàng của bạn đã được giao mật khẩu sắp hết hạn ngày mười những
        người ướt khuỷu tay nghiêng Ưu tiên ốm ỷ lại ẩm thực kẽ""",
}
ENDS = (".", "!", "?", "…", "", "", ":", "; 3 %", " – 18:45", " (2)", " €1,250.00", " 7/12", " → 4 °C", " + £9", " №5",
        " @home", " #42", " & co.", " – «ok»", " “x”", " ½", " ₫90.000", " ✓", " • 12×")


def phrases(count=2000):
    """`count` texts of one to fourteen words, the languages in turn, each text once."""
    dice = random.Random(20)
    languages = {name: words.split() for name, words in WORDS.items()}
    found = {}
    while len(found) < count:
        language = list(languages)[len(found) % len(languages)]
        words = dice.choices(languages[language], k=dice.choice((1, 2, 3, 4, 6, 8, 11, 14)))
        text = " ".join(words) + dice.choice(ENDS)
        text = dice.choice((text, text, text[0].upper() + text[1:], text.upper()))
        found.setdefault(text, language)
    return list(found)
